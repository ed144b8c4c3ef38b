import { runMessage } from '../../../src/contract/run-messages.ts'
import type { System } from './systems.ts'
import type { ValueType } from './value-types.ts'

/** The outcome for a type in a system. */
export type Verdict =
  /** `native`: the system's own name of the type; `read`: DuckDB's type when it is read again. */
  { kind: 'kept'; native: string | null; read: string } | { kind: 'refused'; reason: string }

const brokeOff = /^The server did not answer, or the connection broke off/

const changed: readonly (readonly [where: string, values: string, change: string])[] = [
  [
    'a `cast` with `rounding`',
    'values that the type can’t hold exactly',
    `${runMessage('change_rounded_to_fit', { type: '…' }).message}, ${runMessage('change_truncated_to_fit', { type: '…' }).message}`,
  ],
  [
    'a `cast` with `on_error: "null"`',
    'values that don’t fit the type; the run ends as `completed`',
    runMessage('change_cast_to_null', { type: '…' }).message,
  ],
  [
    'PostgreSQL, `real`',
    'double-precision values that single precision can’t hold exactly',
    runMessage('change_rounded', { type: 'real' }).message,
  ],
  [
    'PostgreSQL, `timestamp`',
    'timestamps with a time zone; in lists, ranges, and domains text that says UTC',
    runMessage('change_without_zone').message,
  ],
  [
    'PostgreSQL, `timetz`, and lists, ranges, and domains of types with a time zone',
    'times of day, and text, without a time zone',
    runMessage('change_zone_utc').message,
  ],
  [
    'PostgreSQL, composite types and ranges of your own, types of extensions, `money`, `macaddr8`, `tsvector`, `jsonb[]`, and other uncommon types',
    'text of which the database makes other numbers or words',
    runMessage('change_reads_back').message,
  ],
  ['PostgreSQL, `jsonb`', '-0.0 inside lists and objects', runMessage('change_minus_zero').message],
  [
    'PostgreSQL, `character(n)`, and lists of it',
    'shorter text',
    runMessage('change_padded', { type: 'character(n)' }).message,
  ],
  [
    'MySQL, `float`',
    'double-precision values that single precision can’t hold exactly',
    runMessage('change_rounded', { type: 'float' }).message,
  ],
  ['MySQL, `float` and `double`', '-0.0', runMessage('change_minus_zero').message],
  ['MySQL, `datetime`', 'timestamps with a time zone', runMessage('change_without_zone').message],
  ['MySQL 8, `json`', 'documents', runMessage('change_mysql_json').message],
  ['MySQL, read', 'zero dates', runMessage('change_zero_dates').message],
  ['SQLite, numeric columns', '-0.0', runMessage('change_minus_zero').message],
  ['SQLite, text columns', 'decimals', runMessage('change_text_decimals').message],
  ['SQLite', 'dates and timestamps of years before 0 (1 BC) or after 9999', runMessage('change_text_years').message],
  [
    'SQLite, read',
    'columns with values that don’t fit the declared type',
    runMessage('change_read_as', { declared: '…', type: '…' }).message,
  ],
  [
    'DuckDB, `FLOAT`',
    'double-precision values that single precision can’t hold exactly',
    runMessage('change_rounded', { type: 'FLOAT' }).message,
  ],
  [
    'DuckDB, `FLOAT` and `DOUBLE`',
    '-0.0, which its compression treats as 0.0',
    runMessage('change_minus_zero_either').message,
  ],
  ['DuckDB, `TIMESTAMP`', 'timestamps with a time zone', runMessage('change_without_zone').message],
  ['Parquet', 'intervals with microseconds', runMessage('change_milliseconds').message],
  ['Parquet', 'times of day with an offset', runMessage('change_time_in_utc').message],
  [
    'Parquet, read',
    'times of day, timestamps with a time zone, and INT96 with digits finer than a microsecond',
    runMessage('change_microseconds').message,
  ],
  ['HTTP and OData, read', 'text with half a character', runMessage('change_half_character').message],
  [
    'Excel, JSON, HTTP, MongoDB and SQLite, read',
    'columns with values of several kinds, which become text (in SQLite also bytes)',
    runMessage('change_kinds_mixed', { kinds: ['…', '…'], type: '…' }).message,
  ],
  [
    'Excel, JSON, HTTP, OData, MongoDB and SQLite, read',
    'numbers with more digits than a number type keeps',
    runMessage('change_numbers_as_text').message,
  ],
  ['JSON, JSON Lines, HTTP, Excel', 'NaN and infinities', runMessage('change_non_finite_text').message],
  [
    'JSON, JSON Lines, Excel',
    'decimals with more than 15 digits; in Excel also integers',
    runMessage('change_long_number_text').message,
  ],
  [
    'Excel',
    'dates before 1900-03-01, and times finer than a millisecond',
    runMessage('change_excel_date_text').message,
  ],
  ['Excel', 'timestamps with a time zone', runMessage('change_without_zone').message],
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
    'The type that a value gets when a task writes it to a system, as the system names it. For files, the type that it has when it is read again.',
    'A test checks every cell: it writes values at the limits of each type, and NULL, to the system, reads them back, and copies them from each system',
    'to every other. Values that a system can’t hold are refused with a reason, or [changed and reported](#changed-values). Nothing else is rounded or truncated.',
    '[Value conversions](fidelity.md) shows what other programs found in the targets.',
    '',
    ...table(systems.slice(0, half)),
    '',
    ...table(systems.slice(half)),
    '',
    'CSV, JSON, and Excel store little type information: the tasks in this test declare types under `columns`. In CSV, NULL is an empty field and empty text',
    'is `""`. Bytes are written as `\\x` and hexadecimal digits, which `columns: {…: binary}` reads as bytes again.',
    '',
    'If a type is read back as another one (dates in SQLite and JSON are text), a `cast` step restores it without loss.',
    '',
    '¹ Not tested: FerretDB, which the test uses, closes the connection on such values. MongoDB supports them.',
    '',
    '## Lists and objects',
    '',
    'DuckDB and Parquet have types for lists and objects, and MongoDB has arrays and documents. There every value inside keeps its own type. In other systems a list or object becomes one JSON',
    'document: every digit of integers and decimals is kept; dates, times, timestamps, and UUIDs are text; bytes are hexadecimal after `\\x` (base64 over HTTP), and NULL is `null`.',
    '',
    '- JSON has no NaN and no infinities. In JSON and JSON Lines files and over HTTP they become text, which is counted. In databases, CSV and Excel they are refused.',
    '- JSON and JSON Lines files have decimals of more than 15 digits as text, which is counted.',
    '- PostgreSQL stores -0.0 in `jsonb` as 0.0, which is counted.',
    '',
    '## Decimals in SQLite',
    '',
    'SQLite has no decimal type. Headgate declares a new column as `DECIMAL(p,s)` and stores numbers: whole numbers as 64-bit integers, others as the',
    'floating-point number that reads back as exactly that decimal. This works for every decimal of up to 15 digits. Comparisons, sums, `max`, and indexes are',
    'correct for every client, and Headgate reads the column as `decimal(p,s)`. Values that floating point can’t hold exactly are refused: cast them to `number`',
    'with `rounding: round` to accept rounding, or to `string` to keep all digits. Existing text columns (`TEXT`, and `DECIMAL_TEXT` from earlier versions) still',
    'get text, which SQLite compares as text. The run reports this.',
    '',
    '## Numbers and text in SQLite',
    '',
    'A column of SQLite can hold values of any kind. If it has texts and numbers, all of them are read as text: an INTEGER as its digits, a REAL as a floating-point',
    'number (`7.0`, `0.1`, `1e+16`, `1e-07`), whatever else is in the column. A column that has only integers and fractions has the type `number`, where 7 is 7.0. If an integer',
    'has more digits than floating point can hold, the column becomes text.',
    '',
    'SQLite turns texts that look like numbers into numbers in every column whose declared type doesn’t contain `CHAR`, `CLOB`, `TEXT`, or `BLOB`. Headgate writes text to none of',
    'these columns, except for `JSON` and `JSONB`: `7` and `1.25` become numbers there, and texts that would change, such as `1.10`, `007`, `1e3`, or `12345678901234567890`, are refused.',
    'Declare the column as `TEXT` or `JSON_TEXT` to keep every text.',
    '',
    '## Changed values',
    '',
    'Values that arrive differently are written, counted per column, and reported: in the log, in the steps of the run (`changes` of',
    '`GET /api/runs/{id}/steps`), and for the sample in the preview.',
    '',
    '| where | values | reported as |',
    '|---|---|---|',
    ...changed.map(([where, values, change]) => `| ${where} | ${values} | ${change} |`),
    '',
    'Parquet’s nanoseconds are reported without a number if they can’t be counted: in encodings that DuckDB doesn’t read, and in previews of row groups with more than 64 MiB of such columns.',
    '',
    'In your own SQL, `->`, `->>` and DuckDB’s other JSON functions keep integers of any size. Numbers with a fraction or an exponent go through floating point: `1.10`',
    'comes out as `1.1`, and `0.1234567890123456789` as `0.12345678901234568`, whether you extract the number or an object that holds it. So does a cast of such a',
    'JSON value to a decimal. `CAST(document AS VARCHAR)`, and the steps `flatten` and `explode`, keep every digit.',
    '',
    '## Several Parquet files',
    '',
    'If a column has different types in several files, it gets a type that keeps the values of all files, and the log names it: integers and decimals become the wider type, dates and timestamps',
    'timestamps, numbers and text text. A value that this type can’t hold, such as 9007199254740993 among floating-point numbers, fails the run with its file and row. If no type is sure to keep',
    'them (timestamps with and without a time zone, lists of integers and of fractions), or a value doesn’t fit, declare the type under `columns`. Decimals of more than 38 digits are refused.',
    '',
    '## Casts',
    '',
    'What happens when a task gives a column another type. The rules are the same in a `cast` step, under `columns` of a source, in files, and in `map`.',
    '',
    '- **exact**: every value is kept exactly.',
    '- **if lossless**: values that the type can hold exactly are kept. The others are refused, and `on_error` decides what happens to them.',
    '- **`round`**, **`truncate`**: with this `rounding` in a `cast` step, the others are rounded or truncated.',
    '- **refused**: no value is accepted.',
    '',
    ...casts,
    '',
    '- A floating-point number has the value of its shortest decimal form: `0.1` is the decimal 0.10. Text and decimals fit `number` if they have up to 15 digits,',
    '  or up to 17 if floating point has exactly these digits. `1e400` doesn’t fit.',
    '- A timestamp with a zone is converted to UTC and stays the same point in time. A timestamp fits `date` only at midnight: `{type: date, rounding: truncate}`',
    '  takes its day.',
    '- `json` accepts valid JSON only: `NaN` is refused.',
    '- Dates and times in text have a year of at least four digits: `05/06/24` and `1-2-3` are refused, since they could be days, months, or versions. Give their format',
    '  (`date_format`), or declare text.',
    '- Years before Christ are written as ISO 8601 counts them, with 0 before 1: 44 BC is `-0043`. They are read in this form, and as `0044-03-15 (BC)`.',
    '- CSV columns without a declared type get a type that keeps every digit of the rows: numbers with more digits than floating point can hold become',
    '  decimals, and values such as `007` or `+47 22` stay text. So do `yes`, `no`, `t`, and `f` (only `true` and `false` are boolean), dates other than `2024-01-31` or',
    '  `2024/01/31`, times without two digits for hour and minute, and numbers that are written in different ways for the same value, such as `1.1` and `1.10`.',
    '  A later row that doesn’t match the type of its column is refused with its line number.',
    '- A column of a CSV or JSON file that only goes into text columns of an existing table is read as text, and arrives as the file has it: `1e3`, `2.50`, `10:00`. If a step uses its values, or',
    '  one of the steps is `sql`, `map`, `flatten`, or `explode`, it gets a type and is written as this type writes it: `1e3` as `1000.0`, `10:00` as `10:00:00`. Declare `string` to keep the text.',
    '',
    '## Between tables in the same kind of database',
    '',
    'A table that a run creates gets the source’s column types if the columns arrive unchanged, and every value arrives exactly. Steps that don’t change a column',
    '(`filter`, `select`, `rename`, `drop`, `dedupe`, `lookup`, `expect`, `explode`, and `cast`, `derive`, or `flatten` of other columns) keep its type. Columns that `sql`',
    'and `map` compute get a type from their values.',
    '',
    '| from and to | kept | not kept |',
    '|---|---|---|',
    '| PostgreSQL | types with their precision (`json`, `integer[]`, `interval`, `inet`, `money`, ranges, bits, `xml`, geometric types …), enums, domains, and extension types that the other database has too, NOT NULL, the primary key | defaults, identities, other constraints, indexes, collations |',
    '| MySQL, MariaDB | types that both servers support, with length, character set, and collation (`enum`, `set`, `year`, `bit`, `varchar(20)` …), NOT NULL, the primary key | defaults, `auto_increment`, other keys, geometry, `uuid`, `inet6` |',
    '| SQLite | declared types, NOT NULL, the primary key | defaults, checks, collations, other keys |',
    '| DuckDB | types | constraints |',
    '',
    '- NOT NULL and keys are read from a table (`table:`); a query has only types. The primary key is kept with `mode: replace` if all of its columns arrive',
    '  unchanged and no step (`explode`, `sql`, `map`) can repeat rows. With `append`, the same key may occur again.',
    '- `money` has no currency: it stays `money` only between databases with the same `lc_monetary`.',
    '- The log lists columns that become text because the other database lacks their type, and a primary key that isn’t kept.',
    '- In an existing table, columns of these types also accept text in the database’s own format: `{1,2}`, `1 day 02:00:00`, `10.0.0.0/8`, `[1,5)`. PostgreSQL would round or cut off',
    '  some of them: more digits than `money`, intervals, arrays, domains, and geometric types keep, fractions of a year that don’t come to months in an `interval` (`0.3 years`; `0.5 years` is 6 months),',
    '  in lists, ranges, and domains a time of day for `date`, a day for `time`, and a zone other than UTC for types without one, `now` and `today`, `"char"` and `name` beyond 1 and 63 bytes,',
    '  and documents with the same key twice in `jsonb`. Such values are refused, also in previews.',
    '- MySQL stores the members of a `set` in the order of its declaration.',
    '- Timestamps after 294247-01-10 and `NaN` in `numeric(p,s)` arrive only if the rows are copied directly, from PostgreSQL to PostgreSQL without a step that has to',
    '  read them. Otherwise the run fails and names column and value.',
    '',
    ...(refusals.length > 0 ? ['## Refused', '', ...refusals, ''] : []),
  ].join('\n')
}
