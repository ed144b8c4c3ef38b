import type { Connector } from '../../../contract/connectors.ts'
import { DiscardDialog } from './DiscardDialog.tsx'
import { ParametersDialog } from './ParametersDialog.tsx'
import { PlanDialog } from './PlanDialog.tsx'
import { PresetValuesDialog } from './PresetValuesDialog.tsx'
import { ReviewDialog } from './ReviewDialog.tsx'
import { changesRows } from './builder.rules.ts'
import type { Asking } from './use-asking.ts'

interface AskingDialogProps {
  asking: Asking
  connector: Connector
  presetId: number | null
  stagedCount: () => number
}

/** The one dialog that a query waits for. */
export function AskingDialog({ asking, connector, presetId, stagedCount }: AskingDialogProps) {
  const { question, close } = asking
  switch (question?.kind) {
    case undefined:
      return null
    case 'plan':
      return <PlanDialog connector={connector} asked={question.asked} onClose={close} />
    case 'discard':
      return <DiscardDialog count={stagedCount()} onClose={close} onDiscard={() => asking.discard(question)} />
    case 'parameters':
      return (
        <ParametersDialog
          names={question.names}
          last={asking.values}
          onClose={close}
          onRun={(parameters) => asking.giveParameters(question, parameters)}
        />
      )
    case 'values':
      return (
        <PresetValuesDialog
          connectorId={connector.id}
          presetId={presetId}
          parameters={question.parameters}
          last={asking.filled}
          toReview={changesRows(question.asked.definition)}
          onClose={close}
          onRun={(parameters) => asking.giveValues(question, parameters)}
        />
      )
    case 'review':
      return <ReviewDialog connector={connector} changes={question.changes} onClose={close} onWritten={close} />
  }
}
