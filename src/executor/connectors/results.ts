import { EngineError } from '../engine/errors.ts'
import { mistakeAtDuckDb, streamDuckDb } from './duckdb/results.ts'
import { streamHttp } from './http/results.ts'
import { mistakeAtMongo, streamMongo } from './mongodb/results.ts'
import { mistakeAtMysql, streamMysql } from './mysql/results.ts'
import { mistakeAtOData } from './odata/mistake.ts'
import { streamOData } from './odata/results.ts'
import { mistakeAtPostgres, streamPostgres } from './postgres/results.ts'
import type { MistakeAt, ResultRequest, StreamResult } from './results.types.ts'
import { mistakeAtSqlite, streamSqlite } from './sqlite/results.ts'
import { streamFiles } from './stores/results.ts'
import { runMessage } from '../../contract/run-messages.ts'

/** Systems whose own language can be spoken: one file each. */
const systems: Record<string, ResultSystem> = {
  postgres: { stream: streamPostgres, holdsFile: false, mistakeAt: mistakeAtPostgres },
  sqlite: { stream: streamSqlite, holdsFile: true, mistakeAt: mistakeAtSqlite },
  mysql: { stream: streamMysql, holdsFile: false, mistakeAt: mistakeAtMysql },
  duckdb: { stream: streamDuckDb, holdsFile: true, mistakeAt: mistakeAtDuckDb },
  mongodb: { stream: streamMongo, holdsFile: false, mistakeAt: mistakeAtMongo },
  // A file that changes while it is read is an error: it is not read for as long as a slow reader takes.
  file: { stream: streamFiles, holdsFile: true, mistakeAt: mistakeAtDuckDb },
  s3: { stream: streamFiles, holdsFile: false, mistakeAt: mistakeAtDuckDb },
  sftp: { stream: streamFiles, holdsFile: false, mistakeAt: mistakeAtDuckDb },
  odata: { stream: streamOData, holdsFile: false, mistakeAt: mistakeAtOData },
  http: { stream: streamHttp, holdsFile: false },
}

interface ResultSystem {
  stream: StreamResult
  /** Nobody can write the database while a cursor is open: its rows are not left there for a slow reader. */
  holdsFile: boolean
  mistakeAt?: MistakeAt
}

export function resultSystem({ connector }: ResultRequest): ResultSystem {
  const found = Object.hasOwn(systems, connector.type) ? systems[connector.type] : undefined
  if (found) return found
  throw new EngineError(
    'CONNECTOR_UNSUITABLE',
    runMessage('connector_not_queryable', { connector: connector.name, type: connector.type }),
    { hint: runMessage('connector_not_queryable_fix', { types: Object.keys(systems) }) },
  )
}
