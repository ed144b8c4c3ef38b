import type { FilesSource } from '../../language/task/sources/source.types.ts'
import { castReason } from '../engine/cast-faults.ts'
import type { CastTarget } from '../engine/casts.ts'
import { asEngineError, EngineError } from '../engine/errors.ts'
import { withoutFetched } from '../engine/fetched.ts'
import type { StageContext } from '../engine/lane.types.ts'
import { name } from '../engine/sql-text.ts'
import { readerOf } from './files-sql.ts'
import { messageIn } from '../engine/sql-reasons.ts'
import { runMessage } from '../../contract/run-messages.ts'

/** DuckDB says nothing but that there is such a moment. */
async function inItsColumn(
  source: FilesSource,
  files: readonly string[],
  error: EngineError,
  { session, tempDir }: Pick<StageContext, 'session' | 'tempDir'>,
): Promise<EngineError> {
  for (const file of files) {
    const reader = readerOf(source, [file])
    for (const { name: column, type } of await session.describe(`SELECT * FROM ${reader}`)) {
      if (!type.includes('TIMESTAMP')) continue
      const same = await session.rows(`SELECT sum(hash(${name(column)})) FROM ${reader}`).then(
        () => null,
        (thrown: unknown) => asEngineError(thrown),
      )
      if (same === null) continue
      if (same.reason.code !== error.reason.code) throw same
      return new EngineError(
        'FILE_UNREADABLE',
        runMessage('parquet_moment_beyond', { file: withoutFetched(file, tempDir), column }),
        { hint: runMessage('parquet_moment_beyond_fix'), stage: error.stage, cause: error },
      )
    }
  }
  return error
}

/** Finds the file and the row of a value that could not be cast: its message has neither. */
export function parquetExplainer(
  source: FilesSource,
  files: readonly string[],
  casts: ReadonlyMap<string, CastTarget>,
  { session, tempDir }: StageContext,
): (error: EngineError) => Promise<EngineError> {
  return async (error) => {
    if (error.reason.code === 'moment_beyond_microseconds')
      return inItsColumn(source, files, error, { session, tempDir })
    if (error.code !== 'CAST_FAILED' || casts.size === 0) return error
    for (const file of files) {
      const reader = readerOf(source, [file])
      // With `union_by_name` a file may lack some of the columns, or have them in another type.
      const types = new Map(
        (await session.describe(`SELECT * FROM ${reader}`)).map((column) => [column.name, column.type]),
      )
      const own = [...casts.values()].flatMap((cast) => {
        const from = types.get(cast.column)
        return from === undefined ? [] : [castReason({ ...cast, from })]
      })
      const reasons = ['NULL', 'NULL', ...own].join(', ')
      const [row] = await session.rows(
        `SELECT nth, reason FROM (SELECT row_number() OVER () AS nth, coalesce(${reasons}) AS reason FROM ${reader}) WHERE reason IS NOT NULL LIMIT 1`,
      )
      if (!row) continue
      const reason = runMessage('at_row', {
        file: withoutFetched(file, tempDir),
        row: Number(row[0]),
        cause: messageIn(row[1]),
      })
      return new EngineError(error.code, reason, { hint: error.fix, stage: error.stage, cause: error })
    }
    return error
  }
}
