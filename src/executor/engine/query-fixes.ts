/** What to do about errors of queries. The same errors of tasks name settings of tasks and their preview, which a query doesn’t have. */
import { runMessage } from '../../contract/run-messages.ts'
import { type Message, isMessage } from '../../language/message.ts'
import { EngineError } from './errors.ts'

const ofQueries: Readonly<Record<string, Message>> = {
  check_sql_spelling: runMessage('check_query_spelling'),
  // It stands in the editor.
  sql_mistake_fix: runMessage('check_query_spelling'),
  check_sql_names: runMessage('check_query_names'),
  use_try_cast: runMessage('use_try_cast_here'),
  files_by_connector: runMessage('query_names_no_file_fix'),
  set_encoding: runMessage('query_encoding_fix'),
  bytes_not_in_encoding_fix: runMessage('query_encoding_fix'),
  not_latin1_fix: runMessage('query_encoding_fix'),
}

/** Settings of how a task reads files, and what becomes of rows that it can't read. */
const ofTasks = /`(?:on_error|columns|csv\.|xlsx\.|json\.|new_only)|run’s rejects|`cast` step/

/** The fix as somebody can follow it who has only a query. */
export function fixOfQuery({ fix }: Pick<EngineError, 'fix'>): Message | undefined {
  if (!fix) return undefined
  // What helps with the text of a CSV file, beside what becomes of its rows.
  const { remedy } = fix.params
  const own = ofQueries[isMessage(remedy) ? remedy.code : fix.code]
  if (own) return own
  // English is what the catalog says of each code, however it is shown.
  return ofTasks.test(fix.message) ? runMessage('file_in_query_fix') : fix
}

/** The error with the file as the query names it, where DuckDB doesn’t say which one it can’t read. */
export function namingFile(error: EngineError, file: string): EngineError {
  if (error.reason.code !== 'csv_unreadable' || error.reason.params['where'] !== '') return error
  const { code, fix: hint, vague, csvRow, cause } = error
  return new EngineError(code, runMessage('csv_unreadable', { where: file }), { hint, vague, csvRow, cause })
}
