import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { runMessage } from '../../../contract/run-messages.ts'
import type { ValueChange } from '../../../contract/value-change.ts'
import type { TableTarget } from '../../../language/task/targets/target.types.ts'
import { originOf, type StreamColumn } from '../../engine/column-origin.ts'
import { EngineError } from '../../engine/errors.ts'
import type { StageContext } from '../../engine/lane.types.ts'
import { name, text } from '../../engine/sql-text.ts'
import type { RowStream } from '../../engine/stream.ts'
import type { Message } from '../../../language/message.ts'
import { shortened } from '../../../language/shortened.ts'
import type { ColumnPlan } from '../../targets/column-plan.ts'
import { copyField } from '../../targets/encode.ts'
import { rowWords } from '../../targets/refusal.ts'
import { valueKindOf } from '../../targets/type-map.ts'
import { copyIn } from './copy-in.ts'
import type { PgColumn } from './table.ts'

/** A column whose texts may not be what the server makes of them. */
export interface Doubted {
  from: StreamColumn
  to: string
  type: string
  /** What is said of values that it changes; null: they are refused, as the server writes all others of this type as they were given. */
  change: Message | null
  /** SQL of what is compared for the text `v`; by default the text, and that of its value. */
  compared?: { given: string; stored: string; exactly?: true }
}

/** Types whose values are what their texts say, or whose texts say what is lost: `exactField`, `postgresChanges`. Any other is doubted. */
const known =
  /^(?:enum|citext\.citext|boolean|smallint|integer|bigint|numeric|text|character(?: varying)?|json|xml|uuid|bytea|inet|cidr|macaddr|bit(?: varying)?|interval|date|time(?:stamp)? with(?:out)? time zone|(?:int4|int8|num|ts|tstz|date)(?:multi)?range)$/
/** The same of single values only. */
const knownAlone = /^(?:jsonb|name|"char")$/
/** The server writes numbers and words of these as they were given: others are other values. */
const spelled = /^(?:(?:"char"|name)\[\]|(?:real|double precision|point|lseg|box|path|polygon|circle)(?:\[\])?)$/
/** It cuts texts in lists off at their blanks, or fills them up with some. */
const measured = /^character(?: varying)?\(\d+\)\[\]$/
/** It drops what is finer than its last field. */
const fields = /^interval (?!.*second)[a-z ]+(\[\])?$/

/** Columns that get text which the server may round or cut off without a word, and whose text alone does not say whether it does. */
export function doubtedColumns(writes: ColumnPlan['writes'], table: readonly PgColumn[]): Doubted[] {
  return writes.flatMap(({ from, to }): Doubted[] => {
    const column = table.find((candidate) => candidate.name === to)
    if (!column || originOf(from, 'postgres')?.type === column.type) return []
    // Values with a type go into columns of their kind as they are.
    if (from.type !== 'VARCHAR' && column.kind !== null) return []
    const { base: type, element } = column
    const of = { from, to, type }
    if (measured.test(type)) {
      const change = type.startsWith('character(') ? runMessage('change_padded', { type }) : null
      return [{ ...of, change, compared: { given: '(v::text[])::text', stored: `(v::${type})::text`, exactly: true } }]
    }
    const bare = fields.exec(type)
    if (bare) {
      // Without a unit, the type's own is meant.
      const given = `CASE WHEN v ~* '[a-z:.]' THEN (v::interval${bare[1] ?? ''})::text ELSE (v::${type})::text END`
      return [{ ...of, change: null, compared: { given, stored: `(v::${type})::text`, exactly: true } }]
    }
    if (known.test(element) || knownAlone.test(type)) return []
    // Numbers of the table's kind are tested on their way.
    if (/^(?:real|double precision)$/.test(type) && /^(?:float|integer)$/.test(valueKindOf(from.type))) return []
    const change = spelled.test(type) ? null : runMessage('change_reads_back')
    return [{ ...of, change, ...(element === 'money' && { compared: amounts(type) }) }]
  })
}

/** Money is written with a currency and thousands, as the locale has them. */
function amounts(type: string): Doubted['compared'] {
  const list = type.endsWith('[]') ? '[]' : ''
  const plain = list === '' ? String.raw`regexp_replace(v, ',(?=\d{3}(\D|$))', '', 'g')` : 'v'
  const digits = (value: string): string => `regexp_replace(${value}, '[^0-9.,{}]', '', 'g')`
  return { given: digits(plain), stored: digits(`((v::${type})::numeric${list})::text`) }
}

const table = name('headgate_texts')

/** Has the server read the texts of rows that it has taken, and compares what it makes of them. */
export async function requireReadBack(
  client: pg.Client,
  doubted: readonly Doubted[],
  target: Pick<TableTarget, 'table' | 'key'>,
  rows: RowStream,
  context: StageContext,
): Promise<void> {
  await sendTexts(client, doubted, target, rows, context)
  for (const [at, column] of doubted.entries()) {
    const change = await readBack(client, column, `SELECT words, v${at} AS v FROM ${table}`)
    if (change) context.changed([change])
  }
}

/** SQL of the texts as they are sent: `words` of the row, and `v0`, `v1` … of the columns. */
export function textsOf(
  doubted: readonly Doubted[],
  { table, key }: Pick<TableTarget, 'table' | 'key'>,
  rows: RowStream,
): string {
  const fields = doubted.map(({ from }) => name(from.name))
  const sent = doubted.map(({ from }, at) => `CAST(${copyField(from).sql} AS VARCHAR) AS v${at}`)
  const words = rowWords({ table, key, columns: rows.columns }, doubted[0]?.from.name ?? '')
  const some = fields.map((field) => `${field} IS NOT NULL`).join(' OR ')
  return `SELECT ${words} AS words, ${sent.join(', ')} FROM (${rows.sql}) WHERE ${some}`
}

/**
 * Compares a column's texts with what the server makes of them, number by number and word by word; throws where one is refused. `texts`:
 * SQL of `words` and `v`.
 */
export async function readBack(
  client: pg.Client,
  { from, to, type, change, compared }: Doubted,
  texts: string,
  values: readonly unknown[] = [],
): Promise<ValueChange | null> {
  const { given, stored, exactly } = compared ?? { given: 'v', stored: `(v::${type})::text` }
  const differ = exactly
    ? ''
    : ` AND (${numbersOf('given')} <> ${numbersOf('stored')} OR ${wordsOf('given')} <> ${wordsOf('stored')}) AND ${bareOf('given')} <> ${bareOf('stored')}`
  const { rows } = await client.query<{ count: string; words: string; shown: string; made: string }>(
    `SELECT count(*) OVER () AS count, words, v AS shown, (v::${type})::text AS made
     FROM (SELECT words, v, ${given} AS given, ${stored} AS stored FROM (${texts}) AS t WHERE v IS NOT NULL) AS t
     WHERE given <> stored${differ} LIMIT 1`,
    [...values],
  )
  const [one] = rows
  if (!one) return null
  const { count, words, shown, made } = one
  if (change === null) {
    const said = { column: to, type, given: shortened(shown, 200), stored: shortened(made, 200), row: words }
    throw new EngineError('VALUE_INVALID', runMessage('value_reads_back', said), { hint: runMessage('cast_or_widen') })
  }
  const { message, code, params } = change
  const example = `${shortened(shown, 50)} → ${shortened(made, 50)}`
  return { column: from.name, change: message, code, params, count: Number(count), example }
}

async function sendTexts(
  client: pg.Client,
  doubted: readonly Doubted[],
  target: Pick<TableTarget, 'table' | 'key'>,
  rows: RowStream,
  { session, tempDir, signal }: StageContext,
): Promise<void> {
  const file = join(tempDir, `${session.newName('texts')}.csv`)
  const columns = ['words', ...doubted.map((_, at) => `v${at}`)]
  await client.query(
    `CREATE TEMP TABLE ${table} (${columns.map((column) => `${column} text`).join(', ')}) ON COMMIT DROP`,
  )
  try {
    await session.copyTo(
      textsOf(doubted, target, rows),
      `${text(file)} (FORMAT csv, HEADER false, FORCE_QUOTE (${columns.join(', ')}))`,
    )
    await pipeline(createReadStream(file), copyIn(client, `COPY ${table} FROM STDIN (FORMAT csv)`), { signal })
  } finally {
    await rm(file, { force: true })
  }
}

const number = String.raw`[-+]?(?:\d+(?:\.(?!\.)\d*)?|(?<!\.)\.\d+)(?:e[-+]?\d{1,3}(?!\d))?`

/** SQL of the numbers in a text, in their order of size. */
function numbersOf(value: string): string {
  return `ARRAY(SELECT m[1]::numeric FROM regexp_matches(lower(${value}), ${text(`(${number})`)}, 'g') AS m ORDER BY 1)`
}

/** SQL of all else in it but signs and blanks. */
function wordsOf(value: string): string {
  const rest = `replace(regexp_replace(lower(${value}), ${text(number)}, ' ', 'g'), 'infinity', 'inf')`
  return `ARRAY(SELECT m[1] FROM regexp_matches(${rest}, ${text(String.raw`([^\s"'(){}\[\],<>;:\\=]+)`)}, 'g') AS m ORDER BY m[1] COLLATE "C")`
}

/** SQL of a text without the signs that only separate, such as those in a book’s number. */
function bareOf(value: string): string {
  return `regexp_replace(lower(${value}), ${text(String.raw`[\s"'(){}\[\],<>;\\=]|(?<=\w)[-:](?=\w)`)}, '', 'g')`
}
