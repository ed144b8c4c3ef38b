import type { Stage } from './successes.ts'
import { send } from './support/send.ts'

export const schedulerSuccesses = {
  getScheduler: ({ live }: Stage) => send(live.admin, 'getScheduler'),
  updateScheduler: ({ live }: Stage) => send(live.admin, 'updateScheduler', { body: { paused: false } }),
}
