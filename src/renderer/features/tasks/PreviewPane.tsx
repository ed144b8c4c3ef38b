import { Anchor, Button, Loader, Select, Switch } from '@mantine/core'
import { IconArrowBarRight, IconEye, IconEyeOff, IconHourglass, IconPlayerStop } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ParsedTask } from '../../../language/task/parse-task.ts'
import { Duration } from '../../ui/Duration.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Hint } from '../../ui/Hint.tsx'
import { ValueChanges } from '../../ui/ValueChanges.tsx'
import { useUnreachable } from '../../ui/use-unreachable.ts'
import { PreviewInputs } from './PreviewInputs.tsx'
import { StageStrip } from './StageStrip.tsx'
import { StageView } from './StageView.tsx'
import { TargetDrift, isTakenAsIs } from './TargetDrift.tsx'
import classes from './preview.module.css'
import type { RunInputsState } from './use-run-inputs.ts'
import type { TaskPreviewState } from './use-task-preview.ts'
import { numberText } from '../../ui/format.ts'

export const sampleSizes = [20, 100, 500, 1000] as const

interface PreviewPaneProps {
  parsed: ParsedTask
  inputs: RunInputsState
  task: TaskPreviewState
  stage: number
  onStage(index: number): void
  onStart(): void
  onShowStage(index: number): void
  onProblems(): void
}

function Status({ task, onProblems }: Pick<PreviewPaneProps, 'task' | 'onProblems'>) {
  const { t } = useTranslation('tasks')
  const { preview, obstacle, errors, current, held } = task
  if (preview.result && errors > 0) {
    return (
      <span className={classes.note} data-stale>
        {t('preview.lastValid')} ·{' '}
        <Anchor component="button" type="button" fz="inherit" onClick={onProblems}>
          {t('preview.toFix', { count: errors })}
        </Anchor>
      </span>
    )
  }
  // Where nothing was previewed, the pane says it.
  if (obstacle !== null) {
    if (!preview.result && !preview.error) return null
    return (
      <span className={classes.note} title={obstacle}>
        {obstacle}
      </span>
    )
  }
  if (preview.running) {
    return (
      <span className={classes.note} role="status">
        {t('preview.running')}
      </span>
    )
  }
  if (held) return <span className={classes.note}>{t('preview.held')}</span>
  if (!preview.result) return null
  if (!current) {
    return (
      <span className={classes.note} data-stale>
        {t('preview.stale')}
      </span>
    )
  }
  return (
    <span className={classes.note}>
      {preview.isPart ? t('preview.took') : t('preview.tookAll', { rows: numberText(preview.result.sampled_rows) })}{' '}
      <Duration ms={preview.result.duration_ms} />
    </span>
  )
}

function Bar({ task, onStart, onProblems }: Pick<PreviewPaneProps, 'task' | 'onStart' | 'onProblems'>) {
  const { t } = useTranslation('tasks')
  const { preview } = task
  const unreachable = useUnreachable()
  return (
    <div className={classes.bar}>
      {preview.running ? (
        <Hint command="task.preview.cancel">
          <Button variant="default" leftSection={<IconPlayerStop size={14} />} onClick={preview.cancel}>
            {t('preview.cancel')}
          </Button>
        </Hint>
      ) : (
        <Hint label={unreachable} command="task.preview">
          <Button
            variant={preview.result ? 'default' : 'filled'}
            leftSection={<IconEye size={14} />}
            disabled={task.obstacle !== null || unreachable !== undefined}
            onClick={onStart}
          >
            {preview.result ? t('preview.again') : t('preview.run')}
          </Button>
        </Hint>
      )}
      <Select
        w={146}
        aria-label={t('preview.limit')}
        data={sampleSizes.map((rows) => ({
          value: String(rows),
          label: t('preview.first', { rows: numberText(rows) }),
        }))}
        value={String(task.limit)}
        allowDeselect={false}
        onChange={(value) => task.setLimit(Number(value))}
      />
      <Switch
        label={t('preview.live')}
        title={t('preview.liveHint')}
        checked={task.live}
        onChange={(event) => task.setLive(event.currentTarget.checked)}
      />
      {preview.running ? <Loader size={14} /> : null}
      <Status task={task} onProblems={onProblems} />
    </div>
  )
}

function Rows({
  task,
  stage,
  onStage,
  onShowStage,
}: Pick<PreviewPaneProps, 'task' | 'stage' | 'onStage' | 'onShowStage'>) {
  const { t } = useTranslation('tasks')
  const { preview, current, names, obstacle, live } = task
  // Of a text that has changed nothing is known, unless its own preview is on the way.
  const knowsTarget = current || preview.running || (live && obstacle === null)
  const target = knowsTarget ? preview.result?.target : undefined
  const remarks = [
    ...(preview.result && preview.isPart ? [t('preview.part', { rows: numberText(preview.result.sampled_rows) })] : []),
    ...(target && isTakenAsIs(target)
      ? [t(target.exists ? 'preview.target.fits' : 'preview.target.new', { table: target.table })]
      : []),
  ]
  const stages = preview.result?.stages ?? []
  // What the text has meanwhile more than the preview is not known to be out of reach.
  const notReached = current ? names.slice(stages.length) : []
  const chosen = Math.min(stage, stages.length + notReached.length - 1)
  const shown = stages.find((one) => one.index === chosen)
  return (
    <div className={classes.body} data-stale={preview.running || !current || undefined} aria-busy={preview.running}>
      <StageStrip stages={stages} notReached={notReached} chosen={chosen} onChoose={onStage} />
      {remarks.length > 0 ? <p className={classes.remark}>{remarks.join(' ')}</p> : null}
      {target ? <TargetDrift target={target} /> : null}
      <ValueChanges title={t('preview.targetChanges')} changes={preview.result?.target_changes} />
      {shown ? (
        <StageView
          key={shown.index}
          stage={shown}
          earlier={stages.filter((one) => one.index < shown.index)}
          onShow={() => onShowStage(shown.index)}
          onStage={onStage}
        />
      ) : (
        <div className={classes.body} id="stage-panel" role="tabpanel" aria-labelledby={`stage-${chosen}`}>
          <EmptyState icon={IconArrowBarRight} title={t('preview.notReached')} compact />
        </div>
      )}
    </div>
  )
}

/** Nothing was previewed yet: what runs now, else what to do. */
function NoRowsYet({ task }: { task: TaskPreviewState }) {
  const { t } = useTranslation('tasks')
  const { preview, obstacle, names, limit } = task
  if (preview.running)
    return (
      <EmptyState
        icon={IconHourglass}
        title={t('preview.runningTitle')}
        text={
          <>
            {t('preview.runningText', { count: names.length, rows: numberText(limit) })}{' '}
            <Duration ms={null} since={preview.since} />
          </>
        }
      />
    )
  return (
    <EmptyState
      icon={IconEye}
      title={obstacle === null ? t('preview.emptyTitle') : t('preview.notPossible')}
      text={obstacle ?? t('preview.emptyText')}
    />
  )
}

/** The rows after every step, made by an executor from a sample of the source. */
export function PreviewPane(props: PreviewPaneProps) {
  const { parsed, inputs, task, stage, onStage, onStart, onShowStage, onProblems } = props
  const { t } = useTranslation('tasks')
  const [toggled, setToggled] = useState<boolean | null>(null)
  const { preview, obstacle, required, unseen } = task
  const missing = required.some((slot) => inputs.mapping[slot] === undefined)
  const unread = Object.keys(inputs.read.problems).length > 0
  const opened = toggled ?? (inputs.connectorsLoaded && (missing || unread))
  return (
    <div className={classes.pane}>
      <Bar task={task} onStart={onStart} onProblems={onProblems} />
      <PreviewInputs
        parsed={parsed}
        inputs={inputs}
        required={required}
        opened={opened}
        onToggle={() => setToggled(!opened)}
      />
      {unseen !== null ? (
        <EmptyState icon={IconEyeOff} title={t('preview.unseen', { kind: unseen })} text={t('preview.unseenText')} />
      ) : preview.error ? (
        <ErrorState error={preview.error} onRetry={obstacle === null ? onStart : undefined} compact />
      ) : preview.result ? (
        <Rows task={task} stage={stage} onStage={onStage} onShowStage={onShowStage} />
      ) : (
        <NoRowsYet task={task} />
      )}
    </div>
  )
}
