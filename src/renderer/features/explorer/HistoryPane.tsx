import { ActionIcon, Button, Select } from '@mantine/core'
import { IconHistory, IconSearchOff, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Connector } from '../../../contract/connectors.ts'
import {
  type QueryHistoryEntry,
  clearQueryHistory,
  deleteQueryHistoryEntry,
  listQueryHistory,
} from '../../../contract/query-history.ts'
import { useAction, useList } from '../../api/queries.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { SearchField } from '../../ui/Toolbar.tsx'
import { HistoryEntry } from './HistoryEntry.tsx'
import classes from './history.module.css'

interface HistoryPaneProps {
  connectors: readonly Connector[]
  /** The connector of the tab in sight. */
  current: number | undefined
  onOpen: (connector: Connector, entry: QueryHistoryEntry, run: boolean) => void
}

const invalidates = ['listQueryHistory'] as const

/** What the user has asked and changed, connector by connector. Give it the current connector as its key. */
export function HistoryPane({ connectors, current, onOpen }: HistoryPaneProps) {
  const { t } = useTranslation('explorer')
  const [chosen, setChosen] = useState(current)
  const [q, setQ] = useState('')
  /** Waits for a confirmation: one entry, or all. */
  const [removing, setRemoving] = useState<QueryHistoryEntry | 'all' | null>(null)
  const connector = connectors.find(({ id }) => id === chosen) ?? connectors[0]
  const id = connector?.id ?? 0
  const list = useList(
    listQueryHistory,
    { params: { id }, query: { q: q || undefined, limit: 50 } },
    { enabled: connector !== undefined, keepPrevious: true },
  )
  const remove = useAction(deleteQueryHistoryEntry, { invalidates })
  const clear = useAction(clearQueryHistory, { invalidates })
  const close = () => {
    setRemoving(null)
    remove.reset()
    clear.reset()
  }
  if (!connector)
    return <EmptyState icon={IconHistory} title={t('history.empty')} text={t('empty.noConnectors')} compact />
  const { name } = connector
  return (
    <>
      <div className={classes.bar}>
        <Select
          size="xs"
          className={classes.connector}
          aria-label={t('history.connector')}
          data={connectors.map((one) => ({ value: String(one.id), label: one.name }))}
          value={String(id)}
          onChange={(next) => next && setChosen(Number(next))}
          allowDeselect={false}
          searchable
        />
        <ActionIcon
          title={t('history.clear')}
          aria-label={t('history.clear')}
          disabled={!list.rows.length && !q}
          onClick={() => setRemoving('all')}
        >
          <IconTrash size={14} />
        </ActionIcon>
      </div>
      <div className={classes.bar}>
        <SearchField value={q} onChange={setQ} label={t('history.search')} width={200} />
      </div>
      {list.error ? <ErrorState what="history" error={list.error} onRetry={list.retry} compact /> : null}
      {!list.isLoading && !list.error && list.rows.length === 0 ? (
        q ? (
          <EmptyState icon={IconSearchOff} title={t('history.noMatch')} compact />
        ) : (
          <EmptyState icon={IconHistory} title={t('history.empty')} text={t('history.emptyText', { name })} compact />
        )
      ) : null}
      <ul className={classes.entries} aria-label={t('history.label', { name })}>
        {list.rows.map((entry) => (
          <HistoryEntry
            key={entry.id}
            entry={entry}
            onOpen={(run) => onOpen(connector, entry, run)}
            onDelete={() => setRemoving(entry)}
          />
        ))}
        {list.hasNext ? (
          <li>
            <Button size="compact-xs" variant="default" m={8} loading={list.isFetchingNext} onClick={list.fetchNext}>
              {t('presets.more')}
            </Button>
          </li>
        ) : null}
      </ul>
      {removing === 'all' ? (
        <ConfirmDialog
          opened
          title={t('history.clearTitle', { name })}
          text={t('history.clearText')}
          confirmLabel={t('history.clearConfirm')}
          danger
          busy={clear.isPending}
          error={clear.error?.message}
          onClose={close}
          onConfirm={() => clear.mutate({ params: { id } }, { onSuccess: close })}
        />
      ) : removing ? (
        <ConfirmDialog
          opened
          title={t('history.deleteTitle')}
          text={<code className={classes.text}>{removing.text}</code>}
          confirmLabel={t('history.deleteConfirm')}
          danger
          busy={remove.isPending}
          error={remove.error?.message}
          onClose={close}
          onConfirm={() => remove.mutate({ params: { id, entryId: removing.id } }, { onSuccess: close })}
        />
      ) : null}
    </>
  )
}
