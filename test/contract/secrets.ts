// How the operations of the key to the secrets are brought to their answers.
import type { Stage } from './successes.ts'
import { send } from './support/send.ts'

export const secretsSuccesses = {
  getSecretsState: ({ live }: Stage) => send(live.admin, 'getSecretsState'),
  rotateSecretsKey: ({ live }: Stage) => send(live.server.as('superadmin'), 'rotateSecretsKey'),
}
