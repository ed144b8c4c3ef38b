import { Button } from '@mantine/core'
import { IconAlertOctagon, IconTableOff } from '@tabler/icons-react'
import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Column } from '../../../contract/common.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { RowsTable } from '../../ui/RowsTable.tsx'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import type { Stage } from './StageStrip.tsx'
import classes from './preview.module.css'
import { type SchemaDiff, differs, schemaDiff } from './schema-diff.ts'

function DiffLine({ stage, diff }: { stage: Stage; diff: SchemaDiff }) {
  const { t } = useTranslation('tasks')
  return (
    <div className={classes.diff}>
      {differs(diff) ? null : <span>{t('preview.unchanged')}</span>}
      {diff.added.size > 0 ? (
        <span className={classes.added} title={[...diff.added].join(', ')}>
          +{t('preview.added', { count: diff.added.size })}
        </span>
      ) : null}
      {diff.retyped.size > 0 ? (
        <span className={classes.amber} title={[...diff.retyped.keys()].join(', ')}>
          {t('preview.retyped', { count: diff.retyped.size })}
        </span>
      ) : null}
      {diff.removed.length > 0 ? (
        <span className={classes.removed} title={t('preview.removed')}>
          −{diff.removed.length}{' '}
          {diff.removed.slice(0, 8).map((column) => (
            <s key={column.name}>{column.name} </s>
          ))}
          {diff.removed.length > 8 ? '…' : null}
        </span>
      ) : null}
      {stage.truncated ? <span>{t('preview.truncated', { count: stage.rows.length })}</span> : null}
    </div>
  )
}

function StageError({ stage, onShow }: { stage: Stage; onShow(): void }) {
  const { t } = useTranslation('tasks')
  if (!stage.error) return null
  return (
    <div className={classes.error} role="alert">
      <IconAlertOctagon size={16} aria-hidden />
      <div>
        <b>{t('preview.errorIn', { stage: stage.label })}</b>
        <div>{stage.error.message}</div>
        {stage.error.hint ? <div className={classes.hint}>{stage.error.hint}</div> : null}
        <Button mt={6} size="compact-xs" variant="default" onClick={onShow}>
          {t('preview.showInText')}
        </Button>
      </div>
    </div>
  )
}

function Rejects({ stage }: { stage: Stage }) {
  const { t } = useTranslation('tasks')
  if (stage.rejected === 0) return null
  // Rejects have no identity of their own; their order is that of the sample.
  const rejects = stage.rejects.map((reject, position) => ({ ...reject, position }))
  return (
    <ScrollRegion className={classes.rejects} label={t('preview.reason')}>
      <table>
        <thead>
          <tr>
            <th>{t('preview.rejected', { count: stage.rejected, formatted: stage.rejected.toLocaleString() })}</th>
            <th>{t('preview.row')}</th>
          </tr>
        </thead>
        <tbody>
          {rejects.map((reject) => (
            <tr key={reject.position}>
              <td>{reject.reason}</td>
              <td>
                <code>{JSON.stringify(reject.row)}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

interface StageViewProps {
  stage: Stage
  before: Stage | undefined
  onShow(): void
}

/** The rows after one stage, what it did to the columns, and what it rejected. */
export function StageView({ stage, before, onShow }: StageViewProps) {
  const { t } = useTranslation('tasks')
  const diff = useMemo(() => schemaDiff(before?.columns, stage.columns), [before, stage])
  const tone = useCallback(
    (column: Column) => (diff.added.has(column.name) ? 'added' : diff.retyped.has(column.name) ? 'changed' : undefined),
    [diff],
  )
  return (
    <div className={classes.body} id="stage-panel" role="tabpanel" aria-labelledby={`stage-${stage.index}`}>
      <StageError stage={stage} onShow={onShow} />
      {stage.error ? null : (
        <>
          {before ? <DiffLine stage={stage} diff={diff} /> : null}
          <RowsTable
            columns={stage.columns}
            rows={stage.rows}
            label={t('preview.table', { stage: stage.label })}
            columnTone={tone}
            empty={
              <EmptyState
                icon={IconTableOff}
                title={before ? t('preview.noRows') : t('preview.noSourceRows')}
                compact
              />
            }
          />
        </>
      )}
      <Rejects stage={stage} />
    </div>
  )
}
