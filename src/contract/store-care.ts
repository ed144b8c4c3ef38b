/** What fills the store, what is removed from it by itself, and whether it can be written. */
import Type, { type Static } from 'typebox'
import { NullableInteger, NullableString, NullableTimestamp } from './common.ts'
import { operation, ref } from './operation.ts'

const Removed = Type.Object({
  runs: Type.Integer(),
  job_runs: Type.Integer(),
  log_lines: Type.Integer(),
  rejects: Type.Integer(),
  deliveries: Type.Integer(),
})

export const StoreInfo = Type.Object(
  {
    bytes: Type.Integer({ description: 'Size of the database file and its log' }),
    log_bytes: Type.Integer({
      description:
        'Of `bytes`, what the write-ahead log takes in addition to the tables and unused pages: second copies of their pages',
    }),
    unused_bytes: Type.Integer({ description: 'Free pages inside the file; vacuum returns them to the disk' }),
    disk_free_bytes: NullableInteger,
    writable: Type.Boolean({ description: 'false: reads work, but nothing can be saved' }),
    problem: Type.Unsafe<string | null>({ ...NullableString, description: 'Why it cannot be written' }),
    tables: Type.Array(
      Type.Object({ name: Type.String(), bytes: Type.Integer({ description: 'Including indexes' }) }),
      {
        description: 'Largest first',
      },
    ),
    retention: Type.Object({
      last_at: NullableTimestamp,
      removed: Type.Unsafe<Static<typeof Removed>>({ ...Removed, description: 'Since the server started' }),
    }),
    backup: Type.Object({ folder: Type.String(), last_at: NullableTimestamp, next_at: NullableTimestamp }),
  },
  { $id: 'StoreInfo' },
)
export type StoreInfo = Static<typeof StoreInfo>

export const getStoreInfo = operation({
  id: 'getStoreInfo',
  method: 'GET',
  path: '/api/server/store',
  tag: 'Server',
  summary: 'Get the size of the store and what uses it',
  security: 'caller',
  responses: { 200: ref(StoreInfo) },
  errors: [],
})
export const cleanStore = operation({
  id: 'cleanStore',
  method: 'POST',
  path: '/api/server/clean',
  tag: 'Server',
  summary: 'Remove data that has exceeded the retention settings',
  security: 'caller',
  responses: { 200: Type.Object({ removed: Removed }) },
  errors: ['UNAVAILABLE'],
})
export const vacuumStore = operation({
  id: 'vacuumStore',
  method: 'POST',
  path: '/api/server/vacuum',
  tag: 'Server',
  summary: 'Return unused space to the disk, in small steps while the store is in use',
  security: 'caller',
  responses: { 200: Type.Object({ bytes_before: Type.Integer(), bytes_after: Type.Integer() }) },
  errors: ['UNAVAILABLE'],
})
