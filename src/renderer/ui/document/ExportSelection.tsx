import { Button } from '@mantine/core'
import { IconPackageExport } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useSession } from '../../api/session.ts'
import type { TableSelection } from '../table.types.ts'
import type { DocumentKind } from './document.types.ts'
import { exportPath } from './export-path.ts'

/** Rows of a list that are picked for a bundle: whoever may not export picks none. */
export function useExportSelection(): TableSelection | undefined {
  const { can } = useSession()
  const [selected, onChange] = useState<ReadonlySet<string>>(new Set())
  const may = can('exportBundle')
  return useMemo(() => (may ? { selected, onChange } : undefined), [may, selected])
}

/** Leads to the export of what is picked; nothing while nothing is. */
export function ExportSelection({
  kind,
  selection,
}: {
  kind: DocumentKind['name']
  selection: TableSelection | undefined
}) {
  const { t } = useTranslation('documents')
  if (!selection || selection.selected.size === 0) return null
  return (
    <Button
      component={Link}
      to={exportPath(kind, [...selection.selected])}
      variant="default"
      leftSection={<IconPackageExport size={14} />}
    >
      {t('list.exportSelected', { count: selection.selected.size })}
    </Button>
  )
}
