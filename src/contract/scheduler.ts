import Type, { type Static } from 'typebox'
import { NullableTimestamp } from './common.ts'
import { operation, ref } from './operation.ts'

export const Scheduler = Type.Object(
  {
    paused: Type.Boolean({ description: 'While true no trigger and no event trigger starts a job run' }),
    paused_at: NullableTimestamp,
    paused_by: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Name of who paused it; null while it is not, and when it was done in the tray of the desktop app',
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
  summary: 'Whether triggers fire',
  responses: { 200: ref(Scheduler) },
  errors: [],
})

export const updateScheduler = operation({
  ...base,
  id: 'updateScheduler',
  method: 'PUT',
  path: '/api/scheduler',
  summary: 'Pauses or resumes all triggers',
  description:
    'A pause outlives restarts. What would have fired meanwhile is a missed firing: each trigger’s misfire_policy says what becomes of it. Runs that were started go on.',
  body: Type.Object({ paused: Type.Boolean() }, { additionalProperties: false }),
  responses: { 200: ref(Scheduler) },
  errors: ['VALIDATION_ERROR'],
})
