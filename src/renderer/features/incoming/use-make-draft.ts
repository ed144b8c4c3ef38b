import { useNavigate } from 'react-router'
import { useTranslation } from 'react-i18next'
import { createConnector } from '../../../contract/connectors.ts'
import { useAction } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { browserStore } from '../../ui/document/draft.ts'
import { handedTexts } from '../../ui/document/handed-text.ts'
import { rememberInputs } from '../tasks/run-inputs.ts'
import { handedConnectors } from '../tasks/use-run-inputs.ts'
import { draftText, sourceSlot, targetSlot, writesBeside } from './data-draft.rules.ts'
import { putAside } from './incoming.store.ts'
import type { DataChoice } from './use-data-choice.ts'
import type { WriteTo } from './write-choices.ts'

/** Makes the connector where there is none, and opens the editor of a new task with the draft. The draft is saved there or nowhere. */
export function useMakeDraft(data: DataChoice) {
  const { t } = useTranslation('incoming')
  const navigate = useNavigate()
  const create = useAction(createConnector, { invalidates: ['listConnectors'] })

  function open(connectorId: number, to: WriteTo): void {
    const columns = data.rows.data?.stages[0]?.columns ?? []
    const text = draftText(
      {
        name: data.taskName.trim(),
        description: t('draft.description', { name: data.place?.name ?? data.file.name }),
        read: data.read,
        write: to.write,
        columns,
      },
      { types: t('draft.types'), columns: t('draft.columns'), filter: t('draft.filter') },
    )
    const mapping = {
      [sourceSlot]: connectorId,
      ...(writesBeside(data.read, to.write) ? {} : { [targetSlot]: to.connector?.id ?? connectorId }),
    }
    data.remember()
    data.upload.keep()
    rememberInputs(browserStore(), 'new', { connector_mapping: mapping, arguments: {} })
    handedConnectors.give('new', mapping)
    // An editor that stands there takes the text where it is.
    const there = handedTexts.awaited('task.new')
    handedTexts.give('task.new', text)
    if (!there) void navigate(paths.taskNew({ sample: 'draft' }))
    putAside()
  }

  return {
    failure: create.error,
    busy: create.isPending,
    submit(to: WriteTo) {
      const { reach } = data
      if (!reach || create.isPending) return
      if (reach.kind === 'there') return open(reach.connector.id, to)
      create.mutate(
        {
          body: { name: data.connectorName.trim(), type: reach.type, config: reach.config },
          headers: { 'idempotency-key': crypto.randomUUID() },
        },
        { onSuccess: ({ id }) => open(id, to) },
      )
    },
  }
}
