import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { mkdir } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import { attachFile, pathsOf, resolveFile, type AttachedFile, type DuckDbFile } from '../../engine/attached-files.ts'
import { cancelled } from '../../engine/duckdb.ts'
import { translateDuckDbError } from '../../engine/duckdb-errors.ts'
import { EngineError, messageOf } from '../../engine/errors.ts'
import { refuseProtected } from '../../engine/protected.ts'
import type { Connection } from '../../engine/result-chunks.ts'
import { name, text } from '../../engine/sql-text.ts'
import { interruptOnAbort } from '../../engine/interrupt-on-abort.ts'
import { configOf } from '../config.ts'
import { runMessage } from '../../../contract/run-messages.ts'
import type { Message } from '../../../language/message.ts'

/** The connector's file, for a session to attach. */
export async function duckDbFile(connector: BoundConnector, access: DuckDbFile['access']): Promise<DuckDbFile> {
  const { path: given } = configOf(connector, 'duckdb')
  refuseProtected(given, connector.name)
  const path = await resolveFile(given, connector.name)
  return { path, access, connector: connector.name }
}

/** A DuckDB of its own whose default database is the connector's file, and which reaches nothing else. Close it. */
export interface OpenDuckDb {
  readonly connection: Connection
  readonly alias: string
  emptyJournal(): Promise<unknown>
  close(): void
}

export interface OpenDuckDbOptions {
  signal: AbortSignal
  tempDir: string
  /** How long a file in use is waited for. */
  timeoutMs?: number
}

/** The file is attached rather than opened: DuckDB 1.5 cannot open files whose journal changes a table with a generated column. */
export async function openDuckDb(
  connector: BoundConnector,
  access: DuckDbFile['access'],
  options: OpenDuckDbOptions,
): Promise<OpenDuckDb> {
  const file = await duckDbFile(connector, access)
  const spill = join(options.tempDir, 'duckdb-spill')
  await mkdir(spill, { recursive: true })
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: '320MB',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_persistent_secrets: 'false',
  })
  const alias = aliasOf(file.path)
  let attached: AttachedFile | null = null
  let connection: DuckDBConnection | null = null
  let endInterrupts = (): void => undefined
  const close = (): void => {
    endInterrupts()
    connection?.closeSync()
    instance.closeSync()
    attached?.release()
  }
  try {
    connection = await instance.connect()
    const paths = pathsOf(file.path).map((path) => text(path))
    await connection.run(
      [
        `SET TimeZone = 'UTC'`,
        `SET temp_directory = ${text(spill)}`,
        `SET allowed_paths = [${paths.join(', ')}]`,
        `SET enable_external_access = false`,
        `SET lock_configuration = true`,
      ].join(';'),
    )
    attached = await attachFile(connection, file, alias, options)
    const { emptyJournal } = attached
    await connection.run(`USE ${name(alias)}`)
    const opened = connection
    endInterrupts = interruptOnAbort(options.signal, () => opened.interrupt())
    return { connection, alias, emptyJournal, close }
  } catch (error) {
    close()
    throw options.signal.aborted ? cancelled() : error
  }
}

/** As DuckDB itself would call it, so that `warehouse.main.orders` means what it means there. */
function aliasOf(path: string): string {
  const stem = basename(path, extname(path))
  return /^(|main|memory|temp|system|information_schema|pg_catalog)$/i.test(stem) ? 'database' : stem
}

/** DuckDB's words on the content of a connector's file. `alias` is taken out of them: users do not know it. */
export function duckDbError(thrown: unknown, connector: BoundConnector, alias: string): EngineError {
  const error = translateDuckDbError(thrown)
  if (error.code === 'CANCELLED') return error
  const where = `connector \`${connector.name}\``
  const words = error.message.replaceAll(`${name(alias)}.`, '').replaceAll(`${alias}.`, '')
  const raw = messageOf(error.cause ?? error)
  const make = (code: EngineError['code'], message: Message, hint: Message | undefined): EngineError =>
    new EngineError(code, message, { hint, stage: error.stage, cause: error.cause ?? error })
  if (/^(Catalog|Binder) Error: (Table|View|Schema) with name .* does not exist/.test(raw)) {
    return make(
      'TABLE_NOT_FOUND',
      runMessage('at_place', { place: where, cause: words }),
      runMessage('table_of_other_schema'),
    )
  }
  if (/Failed to commit/.test(raw) && /constraint|duplicate key/i.test(raw)) {
    return make(
      'CONSTRAINT_VIOLATED',
      runMessage('at_place', { place: where, cause: words }),
      runMessage('reject_before_target'),
    )
  }
  return words.toLowerCase().includes(where)
    ? error
    : make(error.code, runMessage('at_place', { place: where, cause: words }), error.fix)
}
