import { Button, Loader, Select } from '@mantine/core'
import { IconEye, IconPlayerStop } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ParsedTask } from '../../../language/task/parse-task.ts'
import { Duration } from '../../ui/Duration.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Kbd } from '../../ui/Kbd.tsx'
import { PreviewInputs } from './PreviewInputs.tsx'
import { StageStrip } from './StageStrip.tsx'
import { StageView } from './StageView.tsx'
import classes from './preview.module.css'
import type { PreviewState } from './use-preview.ts'
import type { RunInputsState } from './use-run-inputs.ts'

export const sampleSizes = [20, 100, 500, 1000] as const

interface PreviewPaneProps {
  parsed: ParsedTask
  text: string
  inputs: RunInputsState
  preview: PreviewState
  /** Why a preview cannot be started now, or null. */
  obstacle: string | null
  /** Slots that a preview needs: those it reads. */
  required: readonly string[]
  limit: number
  onLimit(limit: number): void
  stage: number
  onStage(index: number): void
  onStart(): void
  onShowStage(index: number): void
}

function Status({ preview, text }: Pick<PreviewPaneProps, 'preview' | 'text'>) {
  const { t } = useTranslation('tasks')
  if (preview.running) {
    return (
      <span className={classes.note} role="status">
        {t('preview.running')}
      </span>
    )
  }
  if (!preview.result) return null
  if (preview.text !== text) {
    return (
      <span className={classes.note} data-stale>
        {t('preview.stale')}
      </span>
    )
  }
  return (
    <span className={classes.note}>
      {t('preview.took', { rows: preview.result.sampled_rows.toLocaleString() })}{' '}
      <Duration ms={preview.result.duration_ms} />
    </span>
  )
}

/** The rows after every step, made by an executor from a sample of the source. */
export function PreviewPane(props: PreviewPaneProps) {
  const { parsed, text, inputs, preview, obstacle, required, limit, onLimit, stage, onStage, onStart, onShowStage } =
    props
  const { t } = useTranslation('tasks')
  const [toggled, setToggled] = useState<boolean | null>(null)
  const missing = required.some((slot) => inputs.mapping[slot] === undefined)
  const unread = Object.keys(inputs.read.problems).length > 0
  const opened = toggled ?? (inputs.connectorsLoaded && (missing || unread))
  const stages = preview.result?.stages ?? []
  // The chosen stage may lie behind the one that failed; then the last one there is shows why.
  const shown = stages.find((one) => one.index === stage) ?? stages.at(-1)
  return (
    <div className={classes.pane}>
      <div className={classes.bar}>
        {preview.running ? (
          <Button variant="default" leftSection={<IconPlayerStop size={14} />} onClick={preview.cancel}>
            {t('preview.cancel')}
          </Button>
        ) : (
          <Button
            variant={preview.result ? 'default' : 'filled'}
            leftSection={<IconEye size={14} />}
            disabled={obstacle !== null}
            onClick={onStart}
          >
            {preview.result ? t('preview.again') : t('preview.run')}
          </Button>
        )}
        <Select
          w={92}
          aria-label={t('preview.limit')}
          data={sampleSizes.map(String)}
          value={String(limit)}
          allowDeselect={false}
          onChange={(value) => onLimit(Number(value))}
        />
        {preview.running ? <Loader size={14} /> : null}
        {obstacle !== null && !preview.running ? <span className={classes.note}>{obstacle}</span> : null}
        {obstacle === null || preview.running ? <Status preview={preview} text={text} /> : null}
        <span style={{ marginLeft: 'auto' }}>
          <Kbd keys="mod+shift+Enter" />
        </span>
      </div>
      <PreviewInputs
        parsed={parsed}
        inputs={inputs}
        required={required}
        opened={opened}
        onToggle={() => setToggled(!opened)}
      />
      {preview.error ? (
        <ErrorState error={preview.error} onRetry={obstacle === null ? onStart : undefined} compact />
      ) : shown ? (
        <div className={`${classes.body} ${preview.running ? classes.busy : ''}`}>
          <StageStrip stages={stages} chosen={shown.index} onChoose={onStage} />
          <StageView
            key={shown.index}
            stage={shown}
            before={stages.find((one) => one.index === shown.index - 1)}
            onShow={() => onShowStage(shown.index)}
          />
        </div>
      ) : (
        <EmptyState icon={IconEye} title={t('preview.emptyTitle')} text={t('preview.emptyText')} />
      )}
    </div>
  )
}
