import { EngineError } from '../engine/errors.ts'
import { streamDuckDb } from './duckdb/results.ts'
import { streamMongo } from './mongodb/results.ts'
import { streamMysql } from './mysql/results.ts'
import { streamPostgres } from './postgres/results.ts'
import type { ResultRequest, StreamResult } from './results.types.ts'
import { streamSqlite } from './sqlite/results.ts'

/** Systems whose own language can be spoken: one file each. */
const systems: Record<string, StreamResult> = {
  postgres: streamPostgres,
  sqlite: streamSqlite,
  mysql: streamMysql,
  duckdb: streamDuckDb,
  mongodb: streamMongo,
}

export function resultStreamer({ connector }: ResultRequest): StreamResult {
  const found = Object.hasOwn(systems, connector.type) ? systems[connector.type] : undefined
  if (found) return found
  throw new EngineError(
    'CONNECTOR_UNSUITABLE',
    `Connector \`${connector.name}\` (${connector.type}) can’t be queried`,
    { hint: `Choose a connector of type ${Object.keys(systems).join(', ')}.` },
  )
}
