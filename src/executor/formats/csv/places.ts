import type { Column } from '../../../contract/common.ts'
import { castReason } from '../../engine/cast-faults.ts'
import type { CastTarget } from '../../engine/casts.ts'
import { EngineError } from '../../engine/errors.ts'
import { withoutFetched } from '../../engine/fetched.ts'
import type { StageContext } from '../../engine/lane.types.ts'
import { placeOf, type Places, type RowPlace } from '../../engine/places.ts'
import { eachCsvRow } from './faults.ts'
import { blanksIn } from './head.ts'
import type { HeadedSource } from './head.types.ts'
import { formOf, longestText } from './rows.ts'
import { csvTexts, withNulls } from '../../sources/files-sql.ts'
import { messageIn } from '../../engine/sql-reasons.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** Finds the lines of rows by their number, counted over all files in their order; in one pass, as far as the last of them. */
export function csvPlaces(
  source: HeadedSource,
  files: readonly string[],
  columns: readonly Column[],
  context: StageContext,
): Places {
  const of: Places['of'] = async (rows) => {
    const places = new Map<number, RowPlace>()
    const { csv } = source
    if (csv === null) return places
    const blanks = blanksIn(source, columns)
    let before = 0
    for (const file of files) {
      if (places.size === rows.size) break
      const where = withoutFetched(file, context.tempDir)
      before += await eachCsvRow(file, csv, blanks(file), context.signal, (at, row) => {
        if (rows.has(before + at))
          places.set(before + at, {
            where: placeOf(where, row.line),
            row: { line: row.line, text: row.text(longestText) },
            ...formOf(row),
          })
        return places.size < rows.size
      })
    }
    return places
  }
  return { of, calls: [] }
}

/** Finds the file and the line of a value that could not be cast: DuckDB has forgotten them by then. What is in no file was misread. */
export function csvExplainer(
  source: HeadedSource,
  files: readonly string[],
  columns: readonly Column[],
  casts: ReadonlyMap<string, CastTarget>,
  context: StageContext,
): (error: EngineError) => Promise<EngineError> {
  return async (error) => {
    const { csv } = source
    if (csv === null) return error
    const { code, reason, fix: hint, stage } = error
    const unexplained = context.inOrder
      ? error
      : new EngineError(code, reason, { hint, stage, misread: true, cause: error })
    if (casts.size === 0 || !error.message.startsWith('Column ')) return unexplained
    for (const file of files) {
      // With `union_by_name` a file may lack some of the columns.
      const own = source.own?.get(file) ?? (source.union_by_name && files.length > 1 ? null : columns)
      const { inOrder: texts } = csvTexts(source, [file], own)
      const there = await context.session.describe(`SELECT * FROM ${texts}`)
      const present = there.flatMap((column) => casts.get(column.name) ?? [])
      const reasons = ['NULL', 'NULL', ...present.map(castReason)].join(', ')
      const rows = withNulls(
        source,
        texts,
        present.map(({ column }) => column),
      )
      const [row] = await context.session.rows(
        `SELECT nth, reason FROM (SELECT row_number() OVER () AS nth, coalesce(${reasons}) AS reason FROM ${rows}) WHERE reason IS NOT NULL LIMIT 1`,
      )
      if (!row) continue
      let line = 0
      const wanted = Number(row[0]) - 1
      await eachCsvRow(file, csv, there.length === 1, context.signal, (at, place) => {
        if (at === wanted) ({ line } = place)
        return at < wanted
      })
      const cause = messageIn(row[1])
      const reason = runMessage('at_line', { file: withoutFetched(file, context.tempDir), line, cause })
      return new EngineError(code, reason, { hint, stage, cause: error })
    }
    return unexplained
  }
}
