import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { runMessage } from '../../../contract/run-messages.ts'
import type { TableTarget } from '../../../language/task/targets/target.types.ts'
import { originOf } from '../../engine/column-origin.ts'
import { EngineError } from '../../engine/errors.ts'
import type { StageContext } from '../../engine/lane.types.ts'
import { name, text } from '../../engine/sql-text.ts'
import type { RowStream } from '../../engine/stream.ts'
import { shortened } from '../../../language/shortened.ts'
import type { ColumnPlan } from '../../targets/column-plan.ts'
import { rowWords } from '../../targets/refusal.ts'
import { copyIn } from './copy-in.ts'
import type { PgColumn } from './table.ts'

/** A column whose texts may not be what the server makes of them. */
interface Doubted {
  from: string
  to: string
  type: string
  /** The server writes numbers and words of this type as they were given: others are other values. Else it may only spell them otherwise. */
  isSpelled: boolean
}

const spelled = /^("char"|name|real|double precision)\[\]$|^(point|lseg|box|path|polygon|circle)(\[\])?$/
const respelled = /^(line(\[\])?|jsonb\[\])$/

/** Columns that get text which the server may round or cut off without a word, and whose text alone does not say whether it does. */
export function doubtedColumns(writes: ColumnPlan['writes'], table: readonly PgColumn[]): Doubted[] {
  return writes.flatMap(({ from, to }) => {
    const column = table.find((candidate) => candidate.name === to)
    if (!column || from.type !== 'VARCHAR' || originOf(from, 'postgres')?.type === column.type) return []
    const isSpelled = spelled.test(column.base)
    if (!isSpelled && !respelled.test(column.base) && !column.composed) return []
    return [{ from: from.name, to, type: column.base, isSpelled }]
  })
}

const table = name('headgate_texts')

/** Has the server read the texts of rows that it has taken, and compares what it makes of them, number by number and word by word. */
export async function requireReadBack(
  client: pg.Client,
  doubted: readonly Doubted[],
  target: Pick<TableTarget, 'table' | 'key'>,
  rows: RowStream,
  context: StageContext,
): Promise<void> {
  await sendTexts(client, doubted, { table: target.table, key: target.key, columns: rows.columns }, rows, context)
  for (const [at, { from, to, type, isSpelled }] of doubted.entries()) {
    const { rows: found } = await client.query<{ count: string; words: string; given: string; stored: string }>(
      `SELECT count(*) OVER () AS count, words, given, stored
       FROM (SELECT words, v${at} AS given, (v${at}::${type})::text AS stored FROM ${table} WHERE v${at} IS NOT NULL) AS t
       WHERE ${numbersOf('given')} <> ${numbersOf('stored')} OR ${wordsOf('given')} <> ${wordsOf('stored')} LIMIT 1`,
    )
    const [one] = found
    if (!one) continue
    const { count, words, given, stored } = one
    if (isSpelled) {
      const shown = { column: to, type, given: shortened(given, 200), stored: shortened(stored, 200), row: words }
      throw new EngineError('VALUE_INVALID', runMessage('value_reads_back', shown), {
        hint: runMessage('cast_or_widen'),
      })
    }
    const { message, code, params } = runMessage('change_reads_back')
    const example = `${shortened(given, 50)} → ${shortened(stored, 50)}`
    context.changed([{ column: from, change: message, code, params, count: Number(count), example }])
  }
}

async function sendTexts(
  client: pg.Client,
  doubted: readonly Doubted[],
  of: Parameters<typeof rowWords>[0],
  rows: RowStream,
  { session, tempDir, signal }: StageContext,
): Promise<void> {
  const fields = doubted.map(({ from }) => name(from))
  const file = join(tempDir, `${session.newName('texts')}.csv`)
  const some = fields.map((field) => `${field} IS NOT NULL`).join(' OR ')
  const columns = doubted.map((_, at) => `v${at} text`)
  await client.query(`CREATE TEMP TABLE ${table} (words text, ${columns.join(', ')}) ON COMMIT DROP`)
  try {
    await session.copyTo(
      `SELECT ${rowWords(of, doubted[0]?.from ?? '')} AS words, ${fields.map((field, at) => `${field} AS v${at}`).join(', ')} FROM (${rows.sql}) WHERE ${some}`,
      `${text(file)} (FORMAT csv, HEADER false, FORCE_QUOTE (${['words', ...doubted.map((_, at) => `v${at}`)].join(', ')}))`,
    )
    await pipeline(createReadStream(file), copyIn(client, `COPY ${table} FROM STDIN (FORMAT csv)`), { signal })
  } finally {
    await rm(file, { force: true })
  }
}

const number = String.raw`[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d{1,3}(?!\d))?`

/** SQL of the numbers in a text, in their order of size. */
function numbersOf(value: string): string {
  return `ARRAY(SELECT m[1]::numeric FROM regexp_matches(lower(${value}), ${text(`(${number})`)}, 'g') AS m ORDER BY 1)`
}

/** SQL of all else in it but signs and blanks. */
function wordsOf(value: string): string {
  const rest = `replace(regexp_replace(lower(${value}), ${text(number)}, ' ', 'g'), 'infinity', 'inf')`
  return `ARRAY(SELECT m[1] FROM regexp_matches(${rest}, ${text(String.raw`([^\s"'(){}\[\],<>;\\]+)`)}, 'g') AS m ORDER BY m[1] COLLATE "C")`
}
