import { Button } from '@mantine/core'
import { IconAlertOctagon, IconTableOff } from '@tabler/icons-react'
import { Fragment, useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { translateHint, translateLabel, translateMessage, translateReason } from '../../i18n/translate.ts'
import type { Column } from '../../../contract/common.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { type ColumnMark, RowsTable } from '../../ui/RowsTable.tsx'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import { ValueChanges } from '../../ui/ValueChanges.tsx'
import type { Stage } from './StageStrip.tsx'
import classes from './preview.module.css'
import { type SchemaDiff, differs, schemaDiff } from './schema-diff.ts'
import { numberText } from '../../ui/format.ts'

/** So many columns are named of each kind; the others are counted, and named when pointed at. */
const named = 6

interface ChangeProps {
  sign: string
  className: string | undefined
  /** In words, for the title and for who listens. */
  label: string
  columns: readonly { name: string; detail?: string }[]
}

function Change({ sign, className, label, columns }: ChangeProps) {
  if (columns.length === 0) return null
  const all = columns.map(({ name, detail }) => (detail ? `${name} ${detail}` : name)).join(', ')
  return (
    <div className={className} title={`${label}: ${all}`}>
      <b aria-hidden>{sign}</b>
      <span>
        <span className={classes.spoken}>{label}: </span>
        {columns.slice(0, named).map(({ name, detail }, index) => (
          <Fragment key={name}>
            {index > 0 ? ', ' : null}
            <code>{name}</code>
            {detail ? <small> ({detail})</small> : null}
          </Fragment>
        ))}
        {columns.length > named ? `, +${columns.length - named}` : null}
      </span>
    </div>
  )
}

/** What the step did to the columns: a line each for those that came, changed and went. */
function DiffLine({ stage, diff }: { stage: Stage; diff: SchemaDiff }) {
  const { t } = useTranslation('tasks')
  const typeOf = new Map(stage.columns.map((column) => [column.name, column.type.toLowerCase()]))
  const plain = (column: Column) => ({ name: column.name, detail: column.type.toLowerCase() })
  return (
    <div className={classes.diff} role="note" aria-label={t('preview.changes')}>
      <span>{t(differs(diff) ? 'preview.compared' : 'preview.unchanged')}</span>
      {differs(diff) ? (
        <div className={classes.changes}>
          <Change
            sign="+"
            className={classes.added}
            label={t('preview.added', { count: diff.added.size })}
            columns={stage.columns.filter((column) => diff.added.has(column.name)).map(plain)}
          />
          <Change
            sign="~"
            className={classes.amber}
            label={t('preview.retyped', { count: diff.retyped.size })}
            columns={[...diff.retyped].map(([name, was]) => ({
              name,
              detail: `${was.toLowerCase()} → ${typeOf.get(name) ?? ''}`,
            }))}
          />
          <Change
            sign="−"
            className={classes.removed}
            label={t('preview.removedCount', { count: diff.removed.length })}
            columns={diff.removed}
          />
        </div>
      ) : null}
      {stage.truncated ? <span>{t('preview.truncated', { count: stage.rows.length })}</span> : null}
    </div>
  )
}

function StageError({ stage, onShow }: Pick<StageViewProps, 'stage' | 'onShow'>) {
  const { t } = useTranslation('tasks')
  if (!stage.error) return null
  return (
    <div className={classes.error} role="alert">
      <IconAlertOctagon size={16} aria-hidden />
      <div>
        <b>{t('preview.errorIn', { stage: translateLabel(stage) })}</b>
        <div>
          <CodeWords text={translateMessage(stage.error)} />
        </div>
        {stage.error.hint ? (
          <div className={classes.hint}>
            <CodeWords text={translateHint(stage.error)} />
          </div>
        ) : null}
        {onShow ? (
          <CommandButton
            id="task.preview.in-text"
            label={t('preview.showInText')}
            mt={6}
            size="compact-xs"
            variant="default"
            onClick={onShow}
          />
        ) : null}
      </div>
    </div>
  )
}

function Rejects({ stage }: { stage: Stage }) {
  const { t } = useTranslation('tasks')
  if (stage.rejected === 0 && stage.rejects.length === 0) return null
  // Rejects have no identity of their own; their order is that of the sample.
  const rejects = stage.rejects.map((reject, position) => ({ ...reject, position }))
  return (
    <ScrollRegion className={classes.rejects} label={t('preview.rejects')}>
      <table>
        <thead>
          <tr>
            <th>
              {t('preview.rejected', { count: stage.rejected, formatted: numberText(stage.rejected) })}
              {stage.rejected > rejects.length ? ` · ${t('preview.rejectsShown', { count: rejects.length })}` : null}
            </th>
            <th>{t('preview.row')}</th>
          </tr>
        </thead>
        <tbody>
          {rejects.map((reject) => (
            <tr key={reject.position}>
              <td>{translateReason(reject)}</td>
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
  /** All before it. */
  earlier: readonly Stage[]
  /** undefined: its text is not in the editor. */
  onShow?(): void
  onStage(index: number): void
}

/** Why a stage has no rows, and the stage that let none through. */
function NoRows({ earlier, onStage }: Pick<StageViewProps, 'earlier' | 'onStage'>) {
  const { t } = useTranslation('tasks')
  const giving = earlier.findLast((one) => one.row_count > 0)
  const count = giving?.row_count ?? 0
  const formatted = numberText(count)
  const emptied = giving === undefined ? undefined : earlier.find((one) => one.index === giving.index + 1)
  if (!emptied) {
    const title = earlier.length > 0 ? t('preview.noRows', { count, formatted }) : t('preview.noSourceRows')
    return <EmptyState icon={IconTableOff} title={title} compact />
  }
  const step = `${emptied.index} ${emptied.key}`
  return (
    <EmptyState
      icon={IconTableOff}
      title={t('preview.noRows_zero')}
      text={t('preview.emptied', { step, count, formatted })}
      action={
        <Button variant="default" onClick={() => onStage(emptied.index)}>
          {t('preview.showStep', { step })}
        </Button>
      }
      compact
    />
  )
}

/** The rows after one stage, what it did to the columns, and what it rejected. */
export function StageView({ stage, earlier, onShow, onStage }: StageViewProps) {
  const { t } = useTranslation('tasks')
  const before = earlier.at(-1)
  const diff = useMemo(() => schemaDiff(before?.columns, stage.columns), [before, stage])
  const mark = useCallback(
    (column: Column): ColumnMark | undefined => {
      if (diff.added.has(column.name)) return { tone: 'added', title: t('preview.columnAdded') }
      const was = diff.retyped.get(column.name)
      return was === undefined
        ? undefined
        : { tone: 'changed', title: t('preview.columnWas', { type: was.toLowerCase() }) }
    },
    [diff, t],
  )
  return (
    <div className={classes.body} id="stage-panel" role="tabpanel" aria-labelledby={`stage-${stage.index}`}>
      <StageError stage={stage} onShow={onShow} />
      {stage.error && before ? (
        <>
          <div className={classes.entering}>{t('preview.entering')}</div>
          <RowsTable columns={before.columns} rows={before.rows} label={t('preview.entering')} />
        </>
      ) : null}
      {stage.error ? null : (
        <>
          {before ? <DiffLine stage={stage} diff={diff} /> : null}
          {stage.notes?.map((note) => (
            <p key={note.message} className={classes.remark}>
              <CodeWords text={translateMessage(note)} />
            </p>
          ))}
          <ValueChanges title={t('preview.valueChanges')} changes={stage.changes} />
          <RowsTable
            columns={stage.columns}
            rows={stage.rows}
            label={t('preview.table', { stage: translateLabel(stage) })}
            columnMark={mark}
            empty={<NoRows earlier={earlier} onStage={onStage} />}
          />
        </>
      )}
      <Rejects stage={stage} />
    </div>
  )
}
