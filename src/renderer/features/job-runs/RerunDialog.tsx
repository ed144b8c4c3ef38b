import { Modal } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { JobRun, JobRunNode } from '../../../contract/job-runs.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
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
function Edited({
  run,
  plan,
  node,
  onEdited,
  resting,
  onLeave,
  onClose,
}: RerunDialogProps & { node: JobRunNode; onEdited(edited: boolean): void; resting: boolean; onLeave(): void }) {
  const { yaml, error } = useRanYaml(run, node)
  const [text, setText] = useState<string | null>(null)
  const [reviewing, setReviewing] = useState(false)
  if (error) return <ErrorState what="yaml" error={error} compact />
  if (yaml === undefined) return null
  const own = text ?? yaml
  if (reviewing) {
    const overrides = own === yaml ? undefined : { [node.key]: own }
    return (
      <RerunReview
        run={run}
        from={plan.from}
        overrides={overrides}
        resting={resting}
        onBack={() => setReviewing(false)}
        onClose={onClose}
      />
    )
  }
  return (
    <RerunEditor
      node={node}
      ran={yaml}
      text={own}
      resting={resting}
      onText={(next) => {
        setText(next)
        onEdited(next !== yaml)
      }}
      onReview={() => setReviewing(true)}
      onClose={onLeave}
    />
  )
}

/** A rerun is shown before it starts: what runs again, what is reused with its outputs, what an edit changes. */
export default function RerunDialog(props: RerunDialogProps) {
  const { run, plan, onClose } = props
  const { t } = useTranslation('jobRuns')
  const { t: word } = useTranslation()
  const title = useTitle(props)
  const [edited, setEdited] = useState(false)
  const [asking, setAsking] = useState(false)
  const leave = () => (edited ? setAsking(true) : onClose())
  const dialog = (
    <Modal
      opened
      onClose={leave}
      // Mantine would hear it before the text does, where it closes what is offered there first.
      closeOnEscape={false}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented && !event.nativeEvent.isComposing) leave()
      }}
      size={plan.edit ? 'min(1180px, 92vw)' : 620}
      title={<b>{title}</b>}
      closeButtonProps={{ 'aria-label': word('close') }}
      // A click beside it leaves the keyboard where it is.
      overlayProps={{ backgroundOpacity: 0.35, onMouseDown: (event) => event.preventDefault() }}
    >
      {plan.edit ? (
        <Edited {...props} node={plan.edit} onEdited={setEdited} resting={asking} onLeave={leave} />
      ) : (
        <RerunReview run={run} from={plan.from} overrides={undefined} onClose={onClose} />
      )}
    </Modal>
  )
  return (
    <>
      {dialog}
      <ConfirmDialog
        opened={asking}
        title={t('rerun.discardTitle')}
        text={t('rerun.discardText')}
        confirmLabel={word('form.discard')}
        danger
        onConfirm={onClose}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
