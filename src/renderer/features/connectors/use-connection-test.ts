import { useState } from 'react'
import { type Connector, testConnector, testConnectorById } from '../../../contract/connectors.ts'
import type { ApiFailure } from '../../api/client.ts'
import { useAction } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { type ConnectorForm, testBody } from './connector-draft.ts'
import type { TestState } from './test-stages.ts'
import type { DraftState } from './use-connector-draft.ts'

export interface ConnectionTestState {
  state: TestState
  error: ApiFailure | null
  /** What stands in the form is what was tested. */
  isCurrent: boolean
  test: (() => void) | undefined
}

/** Tests the stored connector while the form is untouched, else what stands in the form. */
export function useConnectionTest(form: ConnectorForm, draft: DraftState, connector?: Connector): ConnectionTestState {
  const { can } = useSession()
  const byId = useAction(testConnectorById, { invalidates: ['getConnector', 'listConnectors'] })
  const byForm = useAction(testConnector)
  const [fresh, setFresh] = useState<TestState | null>(null)
  const [tested, setTested] = useState(draft.draft)
  const stored = connector && !draft.dirty
  const show = {
    onSuccess: (result: NonNullable<typeof byForm.data>) =>
      setFresh({ phase: 'done', result, at: new Date().toISOString() }),
    onError: () => setFresh(null),
  }
  const test = () => {
    if (!draft.check('test')) return
    byId.reset()
    byForm.reset()
    setFresh({ phase: 'running' })
    setTested(draft.draft)
    if (stored) byId.mutate({ params: { id: connector.id } }, show)
    else byForm.mutate({ body: testBody(form, draft.draft, connector?.id) }, show)
  }
  const last: TestState = connector?.last_test
    ? { phase: 'done', result: connector.last_test, at: connector.last_test_at }
    : { phase: 'idle' }
  return {
    state: fresh ?? last,
    error: byId.error ?? byForm.error,
    isCurrent: fresh ? tested === draft.draft : !draft.dirty,
    test: can(stored ? 'testConnectorById' : 'testConnector') ? test : undefined,
  }
}
