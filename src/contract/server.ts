import Type, { type Static } from 'typebox'
import { Timestamp } from './common.ts'
import { operation, ref } from './operation.ts'

export const ServerInfo = Type.Object(
  {
    version: Type.String(),
    interface_version: Type.String(),
    data_dir: Type.String(),
    demo_database: Type.String({
      description: 'Path for the database of the demo data, outside the data folder',
    }),
    started_at: Timestamp,
    uptime_ms: Type.Integer(),
    pid: Type.Integer(),
    node: Type.String(),
    platform: Type.String(),
    database: Type.Object({ path: Type.String(), bytes: Type.Integer(), schema_version: Type.Integer() }),
    memory_bytes: Type.Integer(),
    totp_required: Type.Boolean(),
    ai_configured: Type.Boolean(),
  },
  { $id: 'ServerInfo' },
)
export type ServerInfo = Static<typeof ServerInfo>

export const getServerInfo = operation({
  id: 'getServerInfo',
  method: 'GET',
  path: '/api/server/info',
  tag: 'Server',
  summary: 'Get version, data folder, memory, and store',
  security: 'caller',
  responses: { 200: ref(ServerInfo) },
  errors: [],
})
