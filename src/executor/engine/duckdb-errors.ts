import { EngineError, asEngineError, messageOf, type EngineErrorCode, verbatim } from './errors.ts'
import { runMessage } from '../../contract/run-messages.ts'
import type { Message } from '../../language/message.ts'

/** DuckDB puts its class before its words: `Conversion Error: …`, and a picture of the SQL after them. */
interface DuckDbWords {
  kind: string
  message: string
}

function split(thrown: unknown): DuckDbWords {
  const whole = messageOf(thrown).replace(/^Failed to extract statements: /, '')
  const at = whole.search(/\n\nLINE \d+:|\nLINE \d+:/)
  const words = (at === -1 ? whole : whole.slice(0, at)).trim()
  const match = /^([A-Z][A-Za-z ]+?)(?: Error| Exception)?: ([\s\S]*)$/.exec(words)
  return match ? { kind: match[1] ?? '', message: match[2] ?? '' } : { kind: '', message: words }
}

const kinds: Record<string, { code: EngineErrorCode; hint?: Message }> = {
  Parser: { code: 'SQL_INVALID', hint: runMessage('check_sql_spelling') },
  Binder: { code: 'SQL_INVALID', hint: runMessage('check_sql_names') },
  Catalog: { code: 'SQL_INVALID', hint: runMessage('duckdb_dialect') },
  Conversion: {
    code: 'VALUE_INVALID',
    hint: runMessage('use_try_cast'),
  },
  'Out of Range': { code: 'VALUE_INVALID', hint: runMessage('cast_wider') },
  Constraint: {
    code: 'CONSTRAINT_VIOLATED',
    hint: runMessage('reject_or_change_table_quarantine'),
  },
  Dependency: { code: 'DATABASE_REFUSED', hint: runMessage('drop_dependents') },
  Permission: { code: 'SQL_NOT_ALLOWED', hint: runMessage('files_by_connector') },
  'Out of Memory': {
    code: 'OUT_OF_MEMORY',
    hint: runMessage('step_out_of_memory'),
  },
}

/** Between the words of an error that our own SQL raises and its hint. */
export const hintMark = '\u001E'

export function translateDuckDbError(thrown: unknown): EngineError {
  if (thrown instanceof EngineError) return thrown
  const { kind, message } = split(thrown)
  // A refusal of ours by `error()`: it shows a value, whose words say nothing of the kind of error.
  if (kind === 'Invalid Input' && message.startsWith('Column `')) {
    const [words = '', hint] = message.split(hintMark)
    return new EngineError('VALUE_INVALID', verbatim(readable(words)), {
      hint: hint === undefined ? undefined : verbatim(hint),
      cause: thrown,
    })
  }
  const csv = csvError(message)
  if (csv) return csv
  if (message.startsWith('File is not latin-1 encoded'))
    return new EngineError('FILE_UNREADABLE', runMessage('csv_not_latin1'), {
      hint: runMessage('not_latin1_fix'),
      vague: true,
      cause: thrown,
    })
  const json = jsonError(message)
  if (json) return json
  if (/No space left on device|disk.*full|max_temp_directory_size/i.test(message)) {
    return new EngineError('DISK_FULL', runMessage('disk_is_full', { text: firstLine(message) }), {
      hint: runMessage('disk_is_full_fix'),
      cause: thrown,
    })
  }
  if (/not a Parquet file|No magic bytes|Parquet/i.test(message) && (kind === 'Invalid Input' || kind === 'IO')) {
    return new EngineError('FILE_UNREADABLE', verbatim(firstLine(message)), {
      hint: runMessage('parquet_damaged'),
      cause: thrown,
    })
  }
  if (kind === 'Conversion' && message.startsWith('Could not convert Timestamp(MS)'))
    return new EngineError('VALUE_INVALID', runMessage('moment_beyond_microseconds'), {
      hint: runMessage('use_try_cast'),
      vague: true,
      cause: thrown,
    })
  const known = kinds[kind]
  if (known) {
    const most = kind === 'Out of Memory' ? /\/([\d.]+ [KMG]iB) used/.exec(message)?.[1] : undefined
    const reason = most === undefined ? verbatim(readable(message)) : runMessage('memory_used_up', { most })
    return new EngineError(known.code, reason, { hint: known.hint, cause: thrown })
  }
  if (kind === 'IO')
    return new EngineError('FILE_UNREADABLE', verbatim(firstLine(message)), {
      hint: runMessage('check_file_readable'),
      cause: thrown,
    })
  if (kind === 'Invalid Input') return new EngineError('VALUE_INVALID', verbatim(readable(message)), { cause: thrown })
  return asEngineError(thrown)
}

/** Line, file, and what is wrong there, out of DuckDB's long report on a CSV file. */
function csvError(message: string): EngineError | null {
  if (message.includes('The Parallel CSV Reader')) {
    return new EngineError('FILE_UNREADABLE', runMessage('csv_quotes_mismatch'), {
      hint: runMessage('csv_quotes_mismatch_fix'),
      vague: true,
    })
  }
  const line = /CSV Error on Line: (\d+)/.exec(message)?.[1]
  const file = /\n\s*file ?= ?(.*)/.exec(message)?.[1]?.trim() ?? /Error when sniffing file "(.*?)"/.exec(message)?.[1]
  if (line === undefined && file === undefined) return null
  const original = /Original Line: (.*)/.exec(message)?.[1]
  const where = `${file ?? 'The CSV file'}${line === undefined ? '' : `, line ${line}`}`
  const shown = original === undefined ? '' : `: ${original.slice(0, 200)}`
  const hint = (remedy: Message): { hint: Message } => ({ hint: runMessage('csv_or_quarantine', { remedy }) })
  // Which is where a program has ended while it wrote: the line says more than how many values it lacks.
  const nothing = /^(\\0){8}/.test(original ?? '')
  const counts = /Expected Number of Columns: (\d+) Found: (\d+)/.exec(message)
  const inRow = (what: Message | number) =>
    file === undefined || line === undefined ? undefined : { file, number: Number(line), what }
  if (counts) {
    return new EngineError(
      'FILE_UNREADABLE',
      runMessage('csv_field_count', { where, found: counts[2] ?? '', expected: counts[1] ?? '', line: shown }),
      { ...hint(runMessage('check_delimiter')), vague: nothing, csvRow: inRow(Number(counts[1])) },
    )
  }
  if (/Invalid unicode|not utf-8/i.test(message)) {
    return new EngineError('FILE_UNREADABLE', runMessage('csv_not_utf8', { where }), {
      ...hint(runMessage('set_encoding')),
      csvRow: inRow(runMessage('text_not_utf8')),
    })
  }
  // The reason comes after the line itself, which reaches to the end of what was read.
  if (/^Value with unterminated quote/m.test(message)) {
    return new EngineError('FILE_UNREADABLE', runMessage('csv_quote_open', { where, line: shown }), {
      ...hint(runMessage('check_quote')),
      vague: true,
      csvRow: inRow(runMessage('quote_opens')),
    })
  }
  return new EngineError('FILE_UNREADABLE', runMessage('csv_unreadable', { where }), {
    ...hint(runMessage('check_csv_settings')),
    vague: true,
    csvRow: inRow(runMessage('row_unreadable')),
  })
}

function jsonError(message: string): EngineError | null {
  const malformed = /Malformed JSON in file "(.*?)", at byte (\d+) in (line|record\/value) (\d+): ([^\n]*)/.exec(
    message,
  )
  if (malformed) {
    const [, file, byte, unit, place, what] = malformed
    return new EngineError(
      'FILE_UNREADABLE',
      // DuckDB has counted the broken one already.
      runMessage(unit === 'line' ? 'json_line_broken' : 'json_record_broken', {
        file: file ?? '',
        number: Number(place) - 1,
        byte: byte ?? '',
        cause: what?.trim().replace(/\.$/, '') ?? '',
      }),
      { hint: runMessage('file_fault_fix') },
    )
  }
  const cast = /JSON transform error in file "(.*?)", in (?:line|record\/value) (\d+): ([^\n]*)/.exec(message)
  if (!cast) return null
  return new EngineError(
    'FILE_UNREADABLE',
    runMessage('json_record_unfit', {
      file: cast[1] ?? '',
      number: cast[2] ?? '',
      cause: cast[3]?.replace(/ Try (setting|increasing).*$/, '') ?? '',
    }),
    { hint: runMessage('set_field_type') },
  )
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0]?.trim() ?? message
}

/** The words without DuckDB's advice on settings that tasks do not have. */
function readable(message: string): string {
  return message
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s*(\* |Possible)/.test(line))
    .slice(0, 4)
    .join(' ')
    .trim()
}
