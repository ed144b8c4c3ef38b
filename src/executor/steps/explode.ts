import type { Column } from '../../contract/common.ts'
import { withoutKeys, type StreamColumn } from '../engine/column-origin.ts'
import type { ExplodeStep } from '../../language/task/steps/step.types.ts'
import { EngineError } from '../engine/errors.ts'
import type { StageContext, StepRunner } from '../engine/lane.types.ts'
import { withDigits } from '../engine/json-digits.ts'
import { numberColumn, placesAmong } from '../engine/places.ts'
import { findColumn, name, refuseDuplicates } from '../engine/sql-text.ts'
import { resized, type RowStream } from '../engine/stream.ts'
import { jsonColumns, readKinds } from './json-shape.ts'
import { runMessage } from '../../contract/run-messages.ts'

/** The lists of a step: how they read, and what comes out of each item. */
interface Lists {
  input: RowStream
  /** SQL of a list; NULL where there is none. */
  list: string
  /** SQL of the item's column, over `item`. */
  item: string
  type: string
}

/** A column after the step. */
interface After extends StreamColumn {
  from: 'row' | 'item' | 'index'
}

export const explodeStep: StepRunner<'explode'> = {
  kind: 'explode',
  async apply(step, stream, context) {
    const column = findColumn(stream.columns, step.column)
    const columns = columnsAfter(step, stream, column)
    refuseDuplicates(columns.map(({ name: called }) => called))
    const { session } = context
    const [item, at, lists] = [session.newName('item'), session.newName('at'), session.newName('list')]
    const found = await readLists(column, stream, context, item)
    const others = stream.columns.filter((other) => other !== column).map((other) => name(other.name))
    // Both run side by side: the n-th item with its position.
    const items = step.keep_empty
      ? `CASE WHEN len(${name(lists)}) > 0 THEN ${name(lists)} ELSE [NULL] END`
      : name(lists)
    const positions = step.keep_empty
      ? `CASE WHEN len(${name(lists)}) > 0 THEN range(len(${name(lists)})) ELSE [NULL] END`
      : `range(len(${name(lists)}))`
    const indexed = step.index === null ? '' : `, unnest(${positions}) AS ${name(at)}`
    const inner = [...others, `${found.list} AS ${name(lists)}`].join(', ')
    const unnested = `SELECT ${[...others, `unnest(${items}) AS ${name(item)}`].join(', ')}${indexed} FROM (SELECT ${inner} FROM (${found.input.sql}))`
    const fields = columns.map((after) => {
      if (after.from === 'item') return `${found.item} AS ${name(after.name)}`
      return after.from === 'index' ? `${name(at)} AS ${name(after.name)}` : name(after.name)
    })
    const exploded = resized(
      found.input,
      context.stage,
      'query',
      `SELECT ${fields.join(', ')} FROM (${unnested})`,
      withoutKeys(
        columns.map(({ from, ...after }) => (from === 'item' ? { ...after, type: found.type } : after)),
        'explode',
      ),
    )
    if (!stream.places) return exploded
    const number = name(numberColumn)
    const before = `SELECT ${found.list} AS ${name(lists)}, row_number() OVER () - 1 AS ${number} FROM (${found.input.sql})`
    const numbers = `SELECT ${number} FROM (SELECT ${number}, unnest(${items}) FROM (${before}))`
    const places = placesAmong(stream.places, { numbers, decidedBy: stream.places.calls }, session)
    return { ...exploded, places }
  },
}

function columnsAfter(step: ExplodeStep, stream: RowStream, exploded: Column): After[] {
  return stream.columns.flatMap((column): After[] => {
    if (column !== exploded) return [{ ...column, from: 'row' }]
    const item: After = { name: step.as === step.column ? column.name : step.as, type: '', from: 'item' }
    return step.index === null ? [item] : [item, { name: step.index, type: 'BIGINT', from: 'index' }]
  })
}

async function readLists(column: Column, stream: RowStream, context: StageContext, item: string): Promise<Lists> {
  const value = name(column.name)
  if (column.type === 'JSON') return readJsonLists(value, stream, context, item)
  const list = /^(.*)\[(\d*)\]$/s.exec(column.type)
  if (!list) {
    throw new EngineError(
      'VALUE_INVALID',
      runMessage('column_has_no_lists', { column: column.name, type: column.type }),
      {
        hint:
          column.type === 'VARCHAR'
            ? runMessage('column_has_no_lists_fix', { column: column.name })
            : runMessage('column_has_no_lists_fix_2'),
      },
    )
  }
  const [, type = '', length] = list
  const input = await countable(stream, context)
  return { input, list: length === '' ? value : `CAST(${value} AS ${type}[])`, item: name(item), type }
}

/** The items' type follows from all of them, so the rows are put down first. */
async function readJsonLists(value: string, stream: RowStream, context: StageContext, item: string): Promise<Lists> {
  const input = await context.materialise(stream)
  const itemsOf = (document: string): string =>
    `CASE coalesce(json_type(${value}), 'NULL') WHEN 'ARRAY' THEN CAST(${document} AS JSON[]) WHEN 'NULL' THEN NULL ELSE [${document}] END`
  const items = (list: string): string => `(SELECT unnest(${list}) AS ${name(item)} FROM ${name(input.table)})`
  const shape = await readKinds(context.session, items(itemsOf(value)), name(item))
  const list = itemsOf(withDigits(value))
  const [made] = await jsonColumns(context.session, items(list), [{ base: name(item), keys: [], shape }])
  return { input, list, item: made?.sql ?? name(item), type: made?.type ?? 'JSON' }
}

/** Of two queries of unknown size in one, the counts could not be told apart. */
async function countable(stream: RowStream, context: StageContext): Promise<RowStream> {
  return stream.open.some((count) => count.kind === 'query') ? context.materialise(stream) : stream
}
