import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { OperationId } from '../../../contract/operations.ts'
import { useSession } from '../../api/session.ts'
import { archiveActions, exportAction, linkAction, tagAction } from '../work-list/common-actions.tsx'
import type { ListAction } from '../work-list/work-list.types.ts'
import type { DocumentKind } from './document.types.ts'
import { exportPath } from './export-path.ts'
import type { DocumentRow } from './use-document-columns.tsx'

/** How one kind of document is changed in a list. Stays the same object. */
interface DocumentChanges {
  kind: DocumentKind['name']
  /** What those who tag and archive have to be allowed. */
  tagging: OperationId
  archiving: OperationId
  tag: Parameters<typeof tagAction>[1]
  archive: (id: number) => Promise<unknown>
  restore: (id: number) => Promise<unknown>
  hrefOf: (row: { id: number }) => string
}

/** What can be done with documents in a list, beyond what one kind alone has. */
export function useDocumentActions<Row extends DocumentRow>(changes: DocumentChanges): ListAction<Row>[] {
  const { t } = useTranslation('lists')
  const { can } = useSession()
  const navigate = useNavigate()
  return useMemo(() => {
    const { kind, tagging, archiving, tag, archive, restore, hrefOf } = changes
    const isArchived = (row: Row) => row.archived === 1
    return [
      ...(can(tagging) ? [tagAction<Row>(t, tag)] : []),
      ...(can(archiving) ? archiveActions<Row>(t, { isArchived, archive, restore }) : []),
      ...(can('exportBundle') ? [exportAction<Row>(t, navigate, (ids) => exportPath(kind, ids))] : []),
      linkAction<Row>(t, hrefOf),
    ]
  }, [t, can, navigate, changes])
}
