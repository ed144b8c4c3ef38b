import { EngineError, asEngineError, messageOf, type EngineErrorCode } from './errors.ts'
import { runMessage } from '../../contract/run-messages.ts'

/** DuckDB puts its class before its words: `Conversion Error: …`, and a picture of the SQL after them. */
interface DuckDbWords {
  kind: string
  message: string
}

function split(thrown: unknown): DuckDbWords {
  const whole = messageOf(thrown)
  const at = whole.search(/\n\nLINE \d+:|\nLINE \d+:/)
  const words = (at === -1 ? whole : whole.slice(0, at)).trim()
  const match = /^([A-Z][A-Za-z ]+?)(?: Error| Exception)?: ([\s\S]*)$/.exec(words)
  return match ? { kind: match[1] ?? '', message: match[2] ?? '' } : { kind: '', message: words }
}

const kinds: Record<string, { code: EngineErrorCode; hint?: string }> = {
  Parser: { code: 'SQL_INVALID', hint: 'Check the spelling of the SQL; the preview shows each step’s columns.' },
  Binder: { code: 'SQL_INVALID', hint: 'Check names and types; the preview shows the columns that enter each step.' },
  Catalog: { code: 'SQL_INVALID', hint: 'The SQL is DuckDB’s; check the name of the function or type.' },
  Conversion: {
    code: 'VALUE_INVALID',
    hint: 'Use TRY_CAST where values may not fit, or a `cast` step with `on_error`.',
  },
  'Out of Range': { code: 'VALUE_INVALID', hint: 'Cast to a wider type first.' },
  Constraint: {
    code: 'CONSTRAINT_VIOLATED',
    hint: 'Reject such rows before the target with an `expect` step (`on_fail: quarantine`), or change the table.',
  },
  Dependency: { code: 'DATABASE_REFUSED', hint: 'Drop what depends on it first, or leave it as it is.' },
  Permission: { code: 'SQL_NOT_ALLOWED', hint: 'Tasks reach files through their connector only.' },
  'Out of Memory': {
    code: 'OUT_OF_MEMORY',
    hint: 'The step needs more memory than a run may use and could not spill to disk: free disk space, or split the step.',
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
    return new EngineError('VALUE_INVALID', readable(words), { hint, cause: thrown })
  }
  const csv = csvError(message)
  if (csv) return csv
  const json = jsonError(message)
  if (json) return json
  if (/No space left on device|disk.*full|max_temp_directory_size/i.test(message)) {
    return new EngineError('DISK_FULL', runMessage('disk_is_full', { text: firstLine(message) }), {
      hint: runMessage('disk_is_full_fix'),
      cause: thrown,
    })
  }
  if (/not a Parquet file|No magic bytes|Parquet/i.test(message) && (kind === 'Invalid Input' || kind === 'IO')) {
    return new EngineError('FILE_UNREADABLE', firstLine(message), {
      hint: runMessage('parquet_damaged'),
      cause: thrown,
    })
  }
  const known = kinds[kind]
  if (known) return new EngineError(known.code, readable(message), { hint: known.hint, cause: thrown })
  if (kind === 'IO')
    return new EngineError('FILE_UNREADABLE', firstLine(message), {
      hint: runMessage('check_file_readable'),
      cause: thrown,
    })
  if (kind === 'Invalid Input') return new EngineError('VALUE_INVALID', readable(message), { cause: thrown })
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
  const hint = (remedy: string): { hint: string } => ({
    hint: `${remedy} \`on_error: quarantine\` sends such rows to the run’s rejects and continues.`,
  })
  // Which is where a program has ended while it wrote: the line says more than how many values it lacks.
  const nothing = /^(\\0){8}/.test(original ?? '')
  const counts = /Expected Number of Columns: (\d+) Found: (\d+)/.exec(message)
  const csvRow =
    file === undefined || line === undefined
      ? undefined
      : { file, number: Number(line), columns: counts ? Number(counts[1]) : null }
  if (counts) {
    return new EngineError(
      'FILE_UNREADABLE',
      runMessage('csv_field_count', { where, found: counts[2] ?? '', expected: counts[1] ?? '', line: shown }),
      { ...hint('Fix the line, or check `csv.delimiter` and `csv.quote`.'), vague: nothing, csvRow },
    )
  }
  if (/Invalid unicode|not utf-8/i.test(message)) {
    return new EngineError('FILE_UNREADABLE', runMessage('csv_not_utf8', { where }), {
      ...hint('Set `csv.encoding`, or save the file as UTF-8.'),
      csvRow,
    })
  }
  // The reason comes after the line itself, which reaches to the end of what was read.
  if (/^Value with unterminated quote/m.test(message)) {
    return new EngineError('FILE_UNREADABLE', runMessage('csv_quote_open', { where, line: shown }), {
      ...hint('Fix the line, or check `csv.quote`.'),
      vague: true,
      csvRow,
    })
  }
  return new EngineError('FILE_UNREADABLE', runMessage('csv_unreadable', { where }), {
    ...hint('Check `csv.delimiter`, `csv.quote` and `csv.header`.'),
    vague: true,
    csvRow,
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
      `${file}, ${unit === 'line' ? 'line' : 'record'} ${Number(place) - 1}: broken JSON at byte ${byte}: ${what?.trim().replace(/\.$/, '')}`,
      { hint: 'Fix the file. In JSON Lines, `on_error: quarantine` sends such lines to the run’s rejects.' },
    )
  }
  const cast = /JSON transform error in file "(.*?)", in (?:line|record\/value) (\d+): ([^\n]*)/.exec(message)
  if (!cast) return null
  return new EngineError(
    'FILE_UNREADABLE',
    `${cast[1]}, record ${cast[2]}: ${cast[3]?.replace(/ Try (setting|increasing).*$/, '')}`,
    {
      hint: 'Set the type of the field, e.g. `columns: {field: string}`.',
    },
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
