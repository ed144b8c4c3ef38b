// How the operations of the audit log are brought to their answers.
import type { Answer } from '../support/server.ts'
import type { Stage } from './successes.ts'
import { send } from './support/send.ts'

export const auditSuccesses = {
  listAudit: ({ live }: Stage) => send(live.admin, 'listAudit', { query: { outcome: 'ok', limit: 2 } }),
  exportAudit: ({ live }: Stage) => send(live.admin, 'exportAudit', { query: { entity: 'task' } }),
  verifyAudit: ({ live }: Stage) => send(live.admin, 'verifyAudit'),
} satisfies Record<string, (stage: Stage) => Promise<Answer>>
