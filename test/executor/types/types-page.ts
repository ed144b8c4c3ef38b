import { changes } from '../../../src/executor/engine/changes.ts'
import type { System } from './systems.ts'
import type { ValueType } from './value-types.ts'

/** What became of a type in a system. */
export type Verdict =
  /** `native`: the system's own name of the type; `read`: DuckDB's type when it is read again. */
  { kind: 'kept'; native: string | null; read: string } | { kind: 'refused'; reason: string }

const brokeOff = /^The server did not answer, or broke off/

const told: readonly (readonly [where: string, values: string, change: string])[] = [
  [
    'a `cast` with `rounding`',
    'those that would not fit without it',
    `${changes.castRounded('…')}, ${changes.castTruncated('…')}`,
  ],
  ['PostgreSQL, `real`', 'numbers of double precision that single precision rounds', changes.rounded('real')],
  ['PostgreSQL, `timestamp`', 'moments with a zone', changes.withoutZone],
  ['PostgreSQL, `character(n)`', 'shorter texts', changes.padded('character(n)')],
  ['MySQL, `float`', 'numbers of double precision that single precision rounds', changes.rounded('float')],
  ['MySQL, `float` and `double`', '-0.0', changes.minusZero],
  ['MySQL, `datetime`', 'moments with a zone', changes.withoutZone],
  ['MySQL 8, `json`', 'documents', changes.documents],
  ['MySQL, read', 'dates of zeros', changes.zeroDates],
  ['SQLite, columns of numbers', '-0.0', changes.minusZero],
  ['SQLite, columns of text', 'decimals', changes.textDecimals],
  ['SQLite, read', 'a column with values that its declared type does not hold', changes.readAs('…', '…')],
  ['DuckDB, `FLOAT`', 'numbers of double precision that single precision rounds', changes.rounded('FLOAT')],
  ['DuckDB, `FLOAT` and `DOUBLE`', '-0.0, which its compression takes for 0.0', changes.minusZeroBeside],
  ['DuckDB, `TIMESTAMP`', 'moments with a zone', changes.withoutZone],
  ['Parquet', 'intervals with microseconds', changes.milliseconds],
  ['Parquet', 'times of day with an offset', changes.timeInUtc],
  ['JSON, JSON Lines, HTTP, Excel', 'NaN and infinities', changes.nonFiniteText],
  ['JSON, JSON Lines, Excel', 'decimals of more than 15 digits; in Excel integers, too', changes.longNumberText],
  ['Excel', 'dates before 1900-03-01, and what is finer than a millisecond', changes.excelDateText],
  ['Excel', 'moments with a zone', changes.withoutZone],
]

/** docs/types.md. */
export function typesPage(
  types: readonly ValueType[],
  systems: readonly System[],
  verdicts: ReadonlyMap<string, ReadonlyMap<string, Verdict>>,
  casts: readonly string[],
): string {
  const cell = (system: System, type: ValueType): string => {
    const verdict = verdicts.get(system.key)?.get(type.key)
    if (!verdict) return '?'
    if (verdict.kind === 'refused') return brokeOff.test(verdict.reason) ? '¹' : 'refused'
    const { native, read } = verdict
    return native === null ? `\`${read}\`` : `\`${native}\``
  }
  const table = (some: readonly System[]): string[] => [
    `| | ${some.map(({ title }) => title).join(' | ')} |`,
    `|---|${some.map(() => '---').join('|')}|`,
    ...types.map((type) => `| ${type.title} | ${some.map((system) => cell(system, type)).join(' | ')} |`),
  ]
  const refusals = systems.flatMap((system) =>
    types.flatMap((type) => {
      const verdict = verdicts.get(system.key)?.get(type.key)
      if (verdict?.kind !== 'refused' || brokeOff.test(verdict.reason)) return []
      return [`- **${system.title}, ${type.title}**: ${verdict.reason}`]
    }),
  )
  const half = Math.ceil(systems.length / 2)
  return [
    '# Types across systems',
    '',
    '<!-- Written by test/executor/types: `UPDATE_DOCS=1 npm test -- test/executor/types`. -->',
    '',
    'What a value becomes when a task writes it to a system, in that system’s own words; for files, the type that it has when it is read',
    'again. Every cell was seen: values at the edge of each type, and NULL, went into the system and came back equal, and went on from each',
    'system into each other. What a system cannot hold is refused, with the reason, or told ([below](#told)); nothing else is rounded or cut.',
    '',
    ...table(systems.slice(0, half)),
    '',
    ...table(systems.slice(half)),
    '',
    'CSV, JSON and Excel say little of types: there the task named them under `columns`. In CSV, NULL is nothing, and an empty text is `""`; bytes are',
    'hexadecimal behind `\\x`, which `columns: {…: binary}` reads as bytes again.',
    '',
    'Where a type is read as another one (a date in SQLite or JSON is text there), a `cast` step gives it its type again, without loss.',
    '',
    '¹ Seen with FerretDB, which ends the connection at such values. MongoDB keeps them; that was not seen.',
    '',
    '## Decimals in SQLite',
    '',
    'SQLite has no decimals. A new column is declared `DECIMAL(p,s)` and holds numbers: whole ones as integers of 64 bits, others as the floating-point',
    'number that reads back as exactly that decimal, which is every one of up to 15 digits. So comparisons, sums, `max` and indexes are right for every',
    'client, and Headgate reads the column as `decimal(p,s)` again. A value that floating point does not hold is refused: cast it to `number` with',
    '`rounding: round` to accept rounding, or to `string` to keep its digits. Columns of text (`DECIMAL_TEXT` of earlier versions, `TEXT`) stay as they',
    'are and get text, which compares as text; the run says so.',
    '',
    '## Told',
    '',
    'Values that arrive differently are written and counted: once a column, in the log, in the steps of the run (`changes` of',
    '`GET /api/runs/{id}/steps`), and in the preview for its sample.',
    '',
    '| where | values | in words |',
    '|---|---|---|',
    ...told.map(([where, values, change]) => `| ${where} | ${values} | ${change} |`),
    '',
    '`->` and other functions of DuckDB in SQL of your own take numbers out of documents by way of floating point; `flatten` and `explode` keep every digit.',
    '',
    '## Casts',
    '',
    'What becomes of values when a task gives a column another type: in a `cast` step, under `columns` of a source, in files and in `map`, the same everywhere.',
    '**exact**: every value is kept as it is. **what fits**: values that the type holds whole; others are refused, and `on_error` says what happens with',
    'them. **`round`**, **`truncate`**: with this `rounding` in a `cast` step the others come, too, rounded or cut off. **refused**: none.',
    '',
    ...casts,
    '',
    '- Floating point is what its shortest text says: `0.1` is the decimal 0.10. As `number`, text and decimals fit with 15 digits, and with 17 where',
    '  floating point has these digits. `1e400` does not fit.',
    '- A moment with a zone becomes UTC, and is the same moment. As `date` a moment fits at midnight only: `{type: date, rounding: truncate}` takes its day.',
    '- `json` takes what is JSON: `NaN` is not.',
    '- Columns of CSV files whose type nobody names get one that keeps every digit of the rows: numbers with more digits than floating point holds become',
    '  decimals, and texts such as `007` or `+47 22` stay text. A later row that does not read as its column is refused, with its line.',
    '',
    ...(refusals.length > 0 ? ['## Refused', '', ...refusals, ''] : []),
  ].join('\n')
}
