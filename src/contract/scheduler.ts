import Type, { type Static } from 'typebox'
import { NullableTimestamp } from './common.ts'
import { operation, ref } from './operation.ts'

export const Scheduler = Type.Object(
  {
    paused: Type.Boolean({ description: 'While true, no trigger or event trigger starts a job run' }),
    paused_at: NullableTimestamp,
    paused_by: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'User who paused it; null if it is not paused, or was paused in the tray of the desktop app',
    }),
  },
  { $id: 'Scheduler' },
)
export type Scheduler = Static<typeof Scheduler>

const base = { tag: 'Triggers', security: 'caller' } as const

export const getScheduler = operation({
  ...base,
  id: 'getScheduler',
  method: 'GET',
  path: '/api/scheduler',
  summary: 'Get whether triggers are paused',
  responses: { 200: ref(Scheduler) },
  errors: [],
})

export const updateScheduler = operation({
  ...base,
  id: 'updateScheduler',
  method: 'PUT',
  path: '/api/scheduler',
  summary: 'Pause or resume all triggers',
  description:
    'A pause persists across restarts. Times that are due during the pause count as missed: each trigger’s misfire_policy decides what happens to them. Runs that have started continue.',
  body: Type.Object({ paused: Type.Boolean() }, { additionalProperties: false }),
  responses: { 200: ref(Scheduler) },
  errors: ['VALIDATION_ERROR'],
})
