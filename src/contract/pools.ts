import Type, { type Static } from 'typebox'
import { NullableString, NullableTimestamp, Success, Timestamp } from './common.ts'
import { operation, ref } from './operation.ts'

export const PoolName = Type.String({
  pattern: '^[A-Za-z_][A-Za-z0-9_.-]{0,62}$',
  'x-wanted': 'letters, digits, `_`, `.`, and `-`, starting with a letter or `_`, at most 63 characters',
  description: 'Letters, digits, `_`, `.`, and `-`; starts with a letter or `_`; at most 63 characters',
})
/** A limit that runs of many jobs share: a run of a task with this `pool` holds one slot. */
export const Pool = Type.Object(
  {
    name: Type.String(),
    slots: Type.Integer({ minimum: 0, description: '0: no runs start' }),
    description: NullableString,
    used: Type.Integer({ description: 'Runs that currently hold a slot' }),
    waiting: Type.Integer({ description: 'Tasks waiting for a slot' }),
    created_at: Timestamp,
    updated_at: NullableTimestamp,
  },
  { $id: 'Pool' },
)
export type Pool = Static<typeof Pool>
const base = { tag: 'Pools', security: 'caller' } as const
const params = Type.Object({ name: PoolName })

export const listPools = operation({
  ...base,
  id: 'listPools',
  method: 'GET',
  path: '/api/pools',
  summary: 'List pools by name',
  responses: { 200: Type.Array(ref(Pool)) },
  errors: [],
})
export const getPool = operation({
  ...base,
  id: 'getPool',
  method: 'GET',
  path: '/api/pools/{name}',
  summary: 'Get a pool',
  params,
  etag: true,
  responses: { 200: ref(Pool) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const setPool = operation({
  ...base,
  id: 'setPool',
  method: 'PUT',
  path: '/api/pools/{name}',
  summary: 'Create a pool, or change its slots; current runs keep theirs',
  params,
  body: Type.Object(
    {
      slots: Type.Integer({ minimum: 0, maximum: 10_000 }),
      description: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 500 })),
    },
    { additionalProperties: false },
  ),
  ifMatch: true,
  ifNoneMatch: true,
  etag: true,
  responses: { 200: ref(Pool) },
  errors: ['VALIDATION_ERROR', 'CONFLICT'],
})
export const deletePool = operation({
  ...base,
  id: 'deletePool',
  method: 'DELETE',
  path: '/api/pools/{name}',
  summary: 'Delete a pool; it no longer limits its tasks',
  params,
  responses: { 200: ref(Success) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
