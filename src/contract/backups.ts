import Type, { type Static } from 'typebox'
import { NullableInteger, NullableString, Success, Timestamp, listQuery, paginated } from './common.ts'
import { operation, ref } from './operation.ts'

export const backupReasons = ['manual', 'scheduled', 'before_migration', 'before_restore', 'other'] as const

export const Backup = Type.Object(
  {
    name: Type.String({ examples: ['headgate-2026-03-01T08-30-00-000Z-manual.db'] }),
    bytes: Type.Integer(),
    created_at: Timestamp,
    reason: Type.Enum([...backupReasons], { description: 'other: a file that was placed in the folder' }),
    version: Type.Unsafe<string | null>({ ...NullableString, description: 'Version of the Headgate that wrote it' }),
    schema_version: Type.Unsafe<number | null>({ ...NullableInteger, description: 'null: unknown' }),
    status: Type.Enum(['verified', 'unsealed', 'damaged', 'newer', 'foreign'], {
      description:
        'unsealed: an intact database without the seal that detects changes to its content; newer: written by a newer Headgate; foreign: not a Headgate database, or one with a changed schema',
    }),
  },
  { $id: 'Backup' },
)
export type Backup = Static<typeof Backup>

/** Whether it can be gone back to. */
export const isRestorable = ({ status }: Pick<Backup, 'status'>): boolean =>
  status === 'verified' || status === 'unsealed'

const name = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,199}\\.db$',
  'x-wanted': 'the file name of a backup, ending in .db',
})
const NameParams = Type.Object({ name })

export const listBackups = operation({
  id: 'listBackups',
  method: 'GET',
  path: '/api/server/backups',
  tag: 'Server',
  summary: 'List the backups in the folder, newest first',
  security: 'caller',
  query: listQuery({}),
  responses: { 200: paginated(ref(Backup)) },
  errors: ['VALIDATION_ERROR'],
})
export const createBackup = operation({
  id: 'createBackup',
  method: 'POST',
  path: '/api/server/backup',
  tag: 'Server',
  summary: 'Create a consistent copy of the store while it is in use, and verify the copy',
  description: 'The backup does not include the key to the secrets.',
  security: 'caller',
  responses: { 201: ref(Backup) },
  errors: ['CONFLICT', 'UNAVAILABLE'],
})
export const downloadBackup = operation({
  id: 'downloadBackup',
  method: 'GET',
  path: '/api/server/backups/{name}/download',
  tag: 'Server',
  summary: 'Download a backup as a file',
  security: 'caller',
  audited: true,
  params: NameParams,
  responses: {},
  streams: { 200: 'application/vnd.sqlite3' },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const deleteBackup = operation({
  id: 'deleteBackup',
  method: 'DELETE',
  path: '/api/server/backups/{name}',
  tag: 'Server',
  summary: 'Delete a backup',
  security: 'caller',
  params: NameParams,
  responses: { 200: ref(Success) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT'],
})
export const Restored = Type.Object(
  {
    success: Type.Boolean(),
    backup: ref(Backup),
    kept_as: Type.Unsafe<string | null>({
      ...NullableString,
      description: 'Name of the backup with the previous store; null for a dry run',
    }),
  },
  { $id: 'Restored' },
)
export type Restored = Static<typeof Restored>

export const restoreBackup = operation({
  id: 'restoreBackup',
  method: 'POST',
  path: '/api/server/restore',
  tag: 'Server',
  summary: 'Restore a backup: it is checked, the current store is kept, then the server restarts',
  description:
    'Current runs fail as lost. Accounts, passwords, sessions, and API keys are those of the backup. 400 INVALID_STATE if the backup is damaged, foreign, or from a newer Headgate.',
  security: 'caller',
  body: Type.Object(
    {
      name,
      dry_run: Type.Optional(Type.Boolean({ default: false, description: 'Check only' })),
    },
    { additionalProperties: false },
  ),
  responses: { 200: ref(Restored) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'INVALID_STATE', 'CONFLICT', 'UNAVAILABLE'],
})
