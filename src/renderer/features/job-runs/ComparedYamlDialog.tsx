import { Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { JobRun, JobRunNode } from '../../../contract/job-runs.ts'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { DiffView } from '../../ui/code/DiffView.tsx'
import { useRanYaml } from './use-rerun.ts'

export interface Side {
  run: JobRun
  node: JobRunNode
}

interface ComparedYamlDialogProps {
  a: Side
  b: Side
  onClose(): void
}

/** What each of two job runs ran for a task, side by side. */
export default function ComparedYamlDialog({ a, b, onClose }: ComparedYamlDialogProps) {
  const { t } = useTranslation('jobRuns')
  const { t: word } = useTranslation()
  const before = useRanYaml(a.run, a.node)
  const after = useRanYaml(b.run, b.node)
  const error = before.error ?? after.error
  const labelOf = ({ run, node }: Side) =>
    [
      t('compare.side', { id: run.id }),
      node.overridden ? t('compare.override') : t('pane.version', { version: node.task_version ?? 0 }),
    ].join(' · ')
  return (
    <Modal
      opened
      onClose={onClose}
      size="min(1180px, 92vw)"
      title={<b>{t('compare.yamlTitle', { key: b.node.key })}</b>}
      closeButtonProps={{ 'aria-label': word('close') }}
    >
      {error ? <ErrorState what="yaml" error={error} compact /> : null}
      {before.yaml !== undefined && after.yaml !== undefined ? (
        <DiffView
          before={before.yaml}
          after={after.yaml}
          beforeLabel={labelOf(a)}
          afterLabel={labelOf(b)}
          most="min(64vh, 640px)"
        />
      ) : null}
    </Modal>
  )
}
