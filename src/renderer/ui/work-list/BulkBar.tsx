import { Button, CloseButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { numberText } from '../format.ts'
import { useUnreachable } from '../use-unreachable.ts'
import { type ListActions, type Progress, needsServer, suited, takes, useActionName } from './use-list-actions.tsx'
import classes from './work-list.module.css'
import type { ListAction } from './work-list.types.ts'

interface BulkBarProps<Row> {
  rows: readonly Row[]
  actions: readonly ListAction<Row>[]
  doing: ListActions<Row>
  /** All that match, beyond what is loaded: how many, and whether that is fewer than there are. Null: all are selected, or loaded. */
  beyond: { count: number; first: boolean; onSelect: () => void } | null
  /** They are being read. */
  reading: Progress | null
  onClear: () => void
}

/** What can be done with the selected rows, below them; while it is done, how far it is. */
export function BulkBar<Row>({ rows, actions, doing, beyond, reading, onClear }: BulkBarProps<Row>) {
  const { t } = useTranslation('lists')
  const named = useActionName()
  const unreachable = useUnreachable()
  const progress = doing.progress ?? reading
  if (progress) {
    const { label, done, total, stop } = progress
    return (
      <div className={classes.bulk} role="status">
        <span>{t('actions.progress', { action: label, done: numberText(done), total: numberText(total) })}</span>
        <progress value={done} max={total} aria-label={label} />
        <Button size="compact-sm" variant="default" onClick={stop}>
          {t('actions.stop')}
        </Button>
      </div>
    )
  }
  if (rows.length === 0) return null
  return (
    <div className={classes.bulk} role="toolbar" aria-label={t('selected.label')}>
      <span role="status">{t('selected.count', { count: rows.length, formatted: numberText(rows.length) })}</span>
      {beyond ? (
        <Button size="compact-sm" variant="subtle" onClick={beyond.onSelect}>
          {t(beyond.first ? 'selected.first' : 'selected.all', {
            count: beyond.count,
            formatted: numberText(beyond.count),
          })}
        </Button>
      ) : null}
      {actions
        .filter(({ only }) => only === undefined || only === rows.length)
        .map((action) => {
          const { length } = suited(action, rows)
          const most = takes(action, length) ? undefined : action.most
          const why =
            most === undefined
              ? needsServer(action)
                ? unreachable
                : undefined
              : t('selected.most', { count: most, formatted: numberText(most) })
          const Icon = action.icon
          return length === 0 ? null : (
            <Button
              key={action.id}
              size="compact-sm"
              variant="default"
              {...(action.danger ? { c: 'var(--hg-status-failed-text)' } : {})}
              leftSection={<Icon size={14} aria-hidden />}
              disabled={why !== undefined}
              title={why}
              onClick={() => doing.run(action, rows)}
            >
              {length === rows.length
                ? named(action, rows)
                : t('selected.some', { action: named(action, rows), count: length, formatted: numberText(length) })}
            </Button>
          )
        })}
      <CloseButton size="sm" aria-label={t('selected.clear')} onClick={onClear} className={classes.bulkEnd} />
    </div>
  )
}
