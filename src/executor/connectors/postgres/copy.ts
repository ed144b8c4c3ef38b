import { once } from 'node:events'
import { open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { CopyStreamQuery } from 'pg-copy-streams'
import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import type { TableTarget } from '../../../language/task/targets/target.types.ts'
import { cancelled } from '../../engine/duckdb.ts'
import type { StageContext } from '../../engine/lane.types.ts'
import { name, text } from '../../engine/sql-text.ts'
import type { RowStream } from '../../engine/stream.ts'
import type { ColumnPlan } from '../../targets/column-plan.ts'
import { copyField } from '../../targets/encode.ts'
import { copiedRow } from './copied-row.ts'
import { copyIn } from './copy-in.ts'
import { exactField } from './exact.ts'
import { copyLine, refusalOf, type NamedRow } from './refusal.ts'
import type { PgColumn } from './table.ts'

const blockBytes = 262_144
/** How often the file is looked at while DuckDB has written no more. */
const lookEveryMs = 5
/** Columns shown of a row that has no key, and characters of each. */
const mostShown = 3
const mostShownChars = 60

export interface FilledRows {
  /** Sent by us. */
  rows: number
  /** By the count that the server gives at the end of its statement. */
  taken: number
}

export interface CopyInto {
  target: Pick<TableTarget, 'table' | 'key'>
  plan: ColumnPlan
  /** The table's columns. */
  table: readonly PgColumn[]
}

/**
 * The rows of a stream by COPY into a table; how many were sent, and how many the server counted. DuckDB writes them to a file as PostgreSQL's CSV, and the file is sent on while
 * it grows: no row passes through JavaScript, and both databases work at once.
 */
export async function copyRows(
  client: pg.Client,
  into: string,
  { target, plan, table }: CopyInto,
  connector: BoundConnector,
  stream: RowStream,
  context: StageContext,
): Promise<FilledRows> {
  const file = join(context.tempDir, `${context.session.newName('copy')}.csv`)
  try {
    return await context.consume(stream, async () => {
      // It must be there before it is first looked at.
      await (await open(file, 'w')).close()
      const writing = writeFile(file, { target, plan, table }, stream, context)
      writing.rows.catch(() => undefined) // heard below
      const copy = copyIn(client, `COPY ${into} FROM STDIN (FORMAT csv)`)
      try {
        await sendGrowing(file, writing, copy, context)
      } catch (error) {
        if (!copy.destroyed) copy.destroy(error instanceof Error ? error : undefined)
        if (!writing.done()) context.session.connection.interrupt()
        await writing.rows.catch(() => undefined) // the first error is the one to tell
        throw refusalOf(error, target.table, connector, { row: await refusedRow(file, error, { target, plan }) })
      }
      const rows = await writing.rows
      return { rows, value: { rows, taken: copy.rowCount } }
    })
  } finally {
    await rm(file, { force: true })
  }
}

/** The row that the server refuses, by its number and its key, or by its first columns. */
async function refusedRow(
  file: string,
  error: unknown,
  { target, plan }: Omit<CopyInto, 'table'>,
): Promise<NamedRow | null> {
  const line = copyLine(error)
  const row = line === null ? null : await copiedRow(file, line)
  if (row === null) return null
  const columns = plan.writes.map(({ to }, at) => ({ to, value: row.values[at] ?? null }))
  const keys = new Set(target.key.map((key) => key.toLowerCase()))
  const keyed = columns.filter(({ to }) => keys.has(to.toLowerCase()))
  const shown = keyed.length > 0 ? keyed : columns.slice(0, mostShown)
  const words = shown.map(
    ({ to, value }) => `${to} = ${value === null ? 'NULL' : printable(value.slice(0, mostShownChars))}`,
  )
  return { number: row.number, words: [`table ${target.table}`, ...words].join(', ') }
}

const printable = (value: string): string =>
  value.replaceAll(/\p{Cc}/gu, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`)

interface Writing {
  rows: Promise<number>
  /** Whether the file has its full length. */
  done(): boolean
}

function writeFile(file: string, { target, plan, table }: CopyInto, stream: RowStream, context: StageContext): Writing {
  const rows = { table: target.table, key: target.key, columns: stream.columns }
  const fields = plan.writes.map(({ from, to }) => {
    const { sql, quoted } = copyField(from)
    const column = table.find((candidate) => candidate.name === to)
    return { name: from.name, quoted, sql: column ? exactField(from, { name: to, type: column.base }, sql, rows) : sql }
  })
  const quoted = fields.filter((field) => field.quoted).map((field) => field.name)
  const select = fields.map((field) => `${field.sql} AS ${name(field.name)}`).join(', ')
  // As texts: DuckDB takes a column "user" for the function there.
  const force = quoted.length === 0 ? '' : `, FORCE_QUOTE (${quoted.map(text).join(', ')})`
  let done = false
  const written = context.session
    .copyTo(
      `SELECT ${select} FROM (${stream.sql})`,
      `${text(file)} (FORMAT csv, HEADER false, USE_TMP_FILE false${force})`,
    )
    .finally(() => {
      done = true
    })
  return { rows: written, done: () => done }
}

async function sendGrowing(
  file: string,
  writing: Writing,
  copy: CopyStreamQuery,
  { signal }: StageContext,
): Promise<void> {
  const sent = finished(copy)
  sent.catch(() => undefined) // heard below; here only so that an early failure is not called unhandled
  // A query that fails at once has taken its file away: then its own error is the one to tell.
  const handle = await open(file, 'r').catch(async (error: unknown) => {
    await writing.rows
    throw error
  })
  try {
    for (;;) {
      // Asked before reading: what is read after the writer's end is all there is.
      const complete = writing.done()
      const more = await sendOn(handle, copy, sent)
      if (signal.aborted) throw cancelled()
      if (more) continue
      if (complete) break
      await Promise.race([sleep(lookEveryMs), writing.rows, sent])
    }
    await writing.rows
    copy.end()
    await sent
  } finally {
    await handle.close()
  }
}

/** Sends the next block; false: the file has no more for now. */
async function sendOn(handle: FileHandle, copy: CopyStreamQuery, sent: Promise<void>): Promise<boolean> {
  const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(blockBytes), 0, blockBytes, null)
  if (bytesRead === 0) return false
  if (copy.destroyed) await sent
  if (!copy.write(buffer.subarray(0, bytesRead))) await Promise.race([once(copy, 'drain'), sent])
  return true
}
