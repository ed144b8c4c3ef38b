/** A type of values as DuckDB names it, with values at its edges, each as a SQL literal. NULL is tried with every type. */
export interface ValueType {
  /** Part of a column's name. */
  key: string
  /** How the documentation names it. */
  title: string
  duckdb: string
  /** Its name in the task language, for files that say nothing of types; null: what such files hold is read as it is found. */
  declared: string | null
  values: string[]
}

/** 2 KB of text from beyond the first plane. */
const emoji = '👩‍👩‍👧‍👦'.repeat(80)

export const valueTypes: readonly ValueType[] = [
  { key: 'boolean', declared: 'boolean', title: 'boolean', duckdb: 'BOOLEAN', values: ['true', 'false'] },
  {
    key: 'int64',
    declared: 'integer',
    title: '64-bit integer',
    duckdb: 'BIGINT',
    values: ['0', '-1', '9007199254740993', '9223372036854775807', '-9223372036854775808'],
  },
  {
    key: 'uint64',
    declared: 'decimal(20,0)',
    title: 'unsigned 64-bit integer',
    duckdb: 'UBIGINT',
    values: ['0', '9223372036854775808', '18446744073709551615'],
  },
  {
    key: 'float64',
    declared: 'number',
    title: '64-bit float',
    duckdb: 'DOUBLE',
    values: ['0.1', '-1.5e300', '5e-324', '1.7976931348623157e308'],
  },
  {
    key: 'float_special',
    declared: 'number',
    title: 'NaN and infinities',
    duckdb: 'DOUBLE',
    values: [`'nan'`, `'inf'`, `'-inf'`],
  },
  {
    key: 'decimal15',
    declared: 'decimal(15,2)',
    title: 'decimal(15,2)',
    duckdb: 'DECIMAL(15,2)',
    values: ['0', '-0.01', '9999999999999.99', '1.10'],
  },
  {
    key: 'decimal',
    declared: 'decimal(20,4)',
    title: 'decimal(20,4)',
    duckdb: 'DECIMAL(20,4)',
    values: ['0', '-0.0001', '9999999999999999.9999', '1.1000'],
  },
  {
    key: 'decimal38',
    declared: 'decimal(38,10)',
    title: 'decimal(38,10)',
    duckdb: 'DECIMAL(38,10)',
    values: ['1.0000000001', '9999999999999999999999999999.9999999999'],
  },
  {
    key: 'date',
    declared: 'date',
    title: 'date',
    duckdb: 'DATE',
    values: [`'1970-01-01'`, `'1900-02-28'`, `'2024-02-29'`, `'9999-12-31'`],
  },
  { key: 'time', declared: 'time', title: 'time', duckdb: 'TIME', values: [`'00:00:00'`, `'23:59:59.999999'`] },
  {
    key: 'timestamp',
    declared: 'datetime',
    title: 'timestamp, seconds',
    duckdb: 'TIMESTAMP',
    values: [`'2024-02-29 12:34:56'`, `'1900-03-01 00:00:00'`, `'9999-12-31 23:59:59'`],
  },
  {
    key: 'timestamp_us',
    declared: 'datetime',
    title: 'timestamp, microseconds',
    duckdb: 'TIMESTAMP',
    values: [`'2024-02-29 12:34:56.123456'`],
  },
  {
    key: 'timestamptz',
    declared: 'datetime',
    title: 'timestamp with zone',
    duckdb: 'TIMESTAMPTZ',
    values: [`'2024-02-29 12:34:56+02'`, `'2024-07-01 00:00:00.5-07:30'`],
  },
  {
    key: 'uuid',
    declared: 'string',
    title: 'uuid',
    duckdb: 'UUID',
    values: [`'6f1f0e6a-1b1b-4c39-9c7d-0d4f5c1a2b3c'`],
  },
  {
    key: 'text',
    declared: 'string',
    title: 'text',
    duckdb: 'VARCHAR',
    values: [
      `'a'`,
      `' b '`,
      `'comma, "quote"; ''tick'''`,
      `'line' || chr(10) || 'feed' || chr(13) || chr(9)`,
      `'\\N'`,
      `'NULL'`,
      `'${emoji}'`,
    ],
  },
  { key: 'text_empty', declared: 'string', title: 'empty text and NULL', duckdb: 'VARCHAR', values: [`''`] },
  {
    key: 'text_zero',
    declared: 'string',
    title: 'text with U+0000',
    duckdb: 'VARCHAR',
    values: [`'a' || chr(0) || 'b'`],
  },
  {
    key: 'text_like',
    declared: 'string',
    title: 'text that looks like something else',
    duckdb: 'VARCHAR',
    values: [`'007'`, `'1e5'`, `'2024-01-01'`, `'true'`],
  },
  {
    key: 'binary',
    declared: 'binary',
    title: 'bytes',
    duckdb: 'BLOB',
    values: [`'\\x00\\xFF\\x7F'::BLOB`, `''::BLOB`, `'abc'::BLOB`],
  },
  {
    key: 'json',
    declared: 'json',
    title: 'JSON',
    duckdb: 'JSON',
    values: [`'{"a": [1, 2.5, "x", null, true], "b": {"c": "é"}}'`, `'[]'`, `'"text"'`, `'12345678901234567890'`],
  },
  {
    key: 'list',
    declared: 'json',
    title: 'list of integers',
    duckdb: 'BIGINT[]',
    values: ['[1, 2, 9223372036854775807]', '[]', '[NULL]'],
  },
  {
    key: 'struct',
    declared: 'json',
    title: 'object',
    duckdb: 'STRUCT(a BIGINT, b VARCHAR)',
    values: [`{'a': 1, 'b': 'x'}`, `{'a': NULL, 'b': ''}`],
  },
]
