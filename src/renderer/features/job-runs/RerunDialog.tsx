import { Modal } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { JobRun, JobRunNode } from '../../../contract/job-runs.ts'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { RerunEditor } from './RerunEditor.tsx'
import { RerunReview } from './RerunReview.tsx'
import type { RerunPlan } from './rerun-choice.ts'
import { useRanYaml } from './use-rerun.ts'

interface RerunDialogProps {
  run: JobRun
  plan: RerunPlan
  onClose(): void
}

function useTitle({ run, plan }: RerunDialogProps) {
  const { t } = useTranslation('jobRuns')
  if (plan.edit) return t('rerun.titleEdit', { id: run.id, key: plan.edit.key })
  const [first, ...others] = plan.from ?? []
  if (first === undefined) return t('rerun.title', { id: run.id })
  return t('rerun.titleFrom', { id: run.id, keys: others.length > 0 ? `${first} +${others.length}` : first })
}

/** The text first, then what it changes and what would run. */
function Edited({ run, plan, node, onClose }: RerunDialogProps & { node: JobRunNode }) {
  const { yaml, error } = useRanYaml(run, node)
  const [text, setText] = useState<string | null>(null)
  const [reviewing, setReviewing] = useState(false)
  if (error) return <ErrorState error={error} compact />
  if (yaml === undefined) return null
  const own = text ?? yaml
  if (reviewing) {
    const overrides = own === yaml ? undefined : { [node.key]: own }
    return (
      <RerunReview
        run={run}
        from={plan.from}
        overrides={overrides}
        onBack={() => setReviewing(false)}
        onClose={onClose}
      />
    )
  }
  return (
    <RerunEditor
      taskKey={node.key}
      text={own}
      changed={own !== yaml}
      onText={setText}
      onReview={() => setReviewing(true)}
      onClose={onClose}
    />
  )
}

/** A rerun is shown before it starts: what runs again, what is reused with its outputs, what an edit changes. */
export default function RerunDialog(props: RerunDialogProps) {
  const { run, plan, onClose } = props
  const { t: word } = useTranslation()
  const title = useTitle(props)
  return (
    <Modal
      opened
      onClose={onClose}
      size={plan.edit ? 'min(1180px, 92vw)' : 620}
      title={<b>{title}</b>}
      closeButtonProps={{ 'aria-label': word('close') }}
      closeOnClickOutside={false}
    >
      {plan.edit ? (
        <Edited {...props} node={plan.edit} />
      ) : (
        <RerunReview run={run} from={plan.from} overrides={undefined} onClose={onClose} />
      )}
    </Modal>
  )
}
