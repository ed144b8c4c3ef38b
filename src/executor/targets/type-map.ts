/**
 * How DuckDB's types are kept in databases, and how databases' types come back: one table for all. Exactness goes first: whole numbers
 * and decimals never pass through floating point.
 */
export type DatabaseType = 'sqlite' | 'postgres' | 'mysql' | 'duckdb'

interface TypeRule {
  /** DuckDB types; what is in brackets after the name is kept apart. */
  readonly duckdb: RegExp
  /** `$` stands for the brackets, e.g. `(18,2)`. */
  readonly sqlite: string
  readonly postgres: string
  readonly mysql: string
}

/**
 * SQLite has no dates: they are kept as ISO text, in columns whose declared type says what they mean (and whose affinity, by SQLite's rules,
 * leaves the text alone). It has no decimals either: they are numbers, which compare and add up for every client (sqlite-values.ts).
 */
const rules: readonly TypeRule[] = [
  { duckdb: /^BOOLEAN$/, sqlite: 'BOOLEAN', postgres: 'boolean', mysql: 'tinyint(1)' },
  { duckdb: /^(TINYINT|SMALLINT|UTINYINT)$/, sqlite: 'INTEGER', postgres: 'smallint', mysql: 'smallint' },
  { duckdb: /^(INTEGER|USMALLINT)$/, sqlite: 'INTEGER', postgres: 'integer', mysql: 'int' },
  // Sums of integers are 128 bits wide in DuckDB: they are written as 64 bits, and refused where they do not fit.
  { duckdb: /^(BIGINT|UINTEGER|HUGEINT)$/, sqlite: 'INTEGER', postgres: 'bigint', mysql: 'bigint' },
  { duckdb: /^UBIGINT$/, sqlite: 'DECIMAL(38,0)', postgres: 'numeric', mysql: 'bigint unsigned' },
  { duckdb: /^(UHUGEINT|BIGNUM)$/, sqlite: 'DECIMAL(38,0)', postgres: 'numeric', mysql: 'decimal(65,0)' },
  { duckdb: /^FLOAT$/, sqlite: 'REAL', postgres: 'real', mysql: 'float' },
  { duckdb: /^DOUBLE$/, sqlite: 'REAL', postgres: 'double precision', mysql: 'double' },
  { duckdb: /^DECIMAL\(\d+,\d+\)$/, sqlite: 'DECIMAL$', postgres: 'numeric$', mysql: 'decimal$' },
  { duckdb: /^DATE$/, sqlite: 'DATE', postgres: 'date', mysql: 'date' },
  { duckdb: /^TIME$/, sqlite: 'TIME', postgres: 'time', mysql: 'time(6)' },
  { duckdb: /^TIME WITH TIME ZONE$/, sqlite: 'TEXT', postgres: 'timetz', mysql: 'longtext' },
  { duckdb: /^TIMESTAMP WITH TIME ZONE$/, sqlite: 'TIMESTAMPTZ', postgres: 'timestamptz', mysql: 'datetime(6)' },
  { duckdb: /^TIMESTAMP(_S|_MS|_NS)?$/, sqlite: 'TIMESTAMP', postgres: 'timestamp', mysql: 'datetime(6)' },
  { duckdb: /^INTERVAL$/, sqlite: 'TEXT', postgres: 'interval', mysql: 'longtext' },
  { duckdb: /^UUID$/, sqlite: 'UUID_TEXT', postgres: 'uuid', mysql: 'char(36)' },
  { duckdb: /^BLOB$/, sqlite: 'BLOB', postgres: 'bytea', mysql: 'longblob' },
  { duckdb: /^(JSON|STRUCT|MAP|UNION|VARIANT)|\]$/, sqlite: 'JSON_TEXT', postgres: 'jsonb', mysql: 'json' },
  { duckdb: /^/, sqlite: 'TEXT', postgres: 'text', mysql: 'longtext' },
]

/** The type that a new column gets for values of a DuckDB type. */
export function databaseTypeOf(database: DatabaseType, duckdb: string): string {
  if (database === 'duckdb') return duckdb
  const rule = rules.find((candidate) => candidate.duckdb.test(duckdb))
  const brackets = /^DECIMAL(\(.*\))$/.exec(duckdb)?.[1] ?? ''
  return (rule?.[database] ?? 'text').replace('$', brackets)
}

/** Kinds of values, by how they are written on the way to a database. */
export type ValueKind =
  | 'boolean'
  | 'integer'
  | 'float'
  | 'decimal'
  | 'date'
  | 'time'
  | 'timestamp'
  | 'timestamptz'
  | 'blob'
  | 'json'
  | 'text'

export function valueKindOf(duckdb: string): ValueKind {
  if (duckdb === 'BOOLEAN') return 'boolean'
  if (/^(U?TINYINT|U?SMALLINT|U?INTEGER|BIGINT|HUGEINT)$/.test(duckdb)) return 'integer'
  if (duckdb === 'FLOAT' || duckdb === 'DOUBLE') return 'float'
  if (/^(UHUGEINT|UBIGINT|BIGNUM|DECIMAL)/.test(duckdb) && !duckdb.endsWith(']')) return 'decimal'
  if (duckdb === 'DATE') return 'date'
  if (duckdb === 'TIME') return 'time'
  if (duckdb === 'TIMESTAMP WITH TIME ZONE') return 'timestamptz'
  if (/^TIMESTAMP(_S|_MS|_NS)?$/.test(duckdb)) return 'timestamp'
  if (duckdb === 'BLOB') return 'blob'
  return /^(JSON|STRUCT|MAP|UNION|VARIANT)|\]$/.test(duckdb) ? 'json' : 'text'
}

/** A date, or a day with its time. */
export function isMoment(duckdb: string): boolean {
  return duckdb === 'DATE' || (duckdb.startsWith('TIMESTAMP') && !duckdb.endsWith(']'))
}

/** A list, an object or a map of typed values; a document of JSON is a text. */
export function isNested(duckdb: string): boolean {
  return duckdb !== 'JSON' && valueKindOf(duckdb) === 'json'
}

const logical: Record<DatabaseType, readonly (readonly [RegExp, string])[]> = {
  sqlite: [
    [/^BOOL(EAN)?$/i, 'BOOLEAN'],
    [/^DATE$/i, 'DATE'],
    [/^TIME$/i, 'TIME'],
    [/^(DATETIME|TIMESTAMP)$/i, 'TIMESTAMP'],
    [/^TIMESTAMPTZ$/i, 'TIMESTAMP WITH TIME ZONE'],
    [/^UUID_TEXT$/i, 'UUID'],
    [/^(JSON|JSON_TEXT|JSONB)$/i, 'JSON'],
  ],
  postgres: [
    [/^boolean$/, 'BOOLEAN'],
    [/^smallint$/, 'SMALLINT'],
    [/^integer$/, 'INTEGER'],
    [/^(bigint|oid)$/, 'BIGINT'],
    [/^real$/, 'FLOAT'],
    [/^double precision$/, 'DOUBLE'],
    [/^date$/, 'DATE'],
    [/^time(\(\d\))? without time zone$/, 'TIME'],
    [/^timestamp(\(\d\))? without time zone$/, 'TIMESTAMP'],
    [/^timestamp(\(\d\))? with time zone$/, 'TIMESTAMP WITH TIME ZONE'],
    [/^uuid$/, 'UUID'],
    [/^bytea$/, 'BLOB'],
    [/^jsonb?$/, 'JSON'],
  ],
  // With all that a declaration says: `int(10) unsigned`.
  mysql: [
    [/^tinyint\(1\)$/, 'BOOLEAN'],
    [/^tinyint.* unsigned/, 'UTINYINT'],
    [/^tinyint/, 'TINYINT'],
    [/^smallint.* unsigned/, 'USMALLINT'],
    [/^(smallint|year)/, 'SMALLINT'],
    [/^mediumint/, 'INTEGER'],
    [/^int.* unsigned/, 'UINTEGER'],
    [/^int/, 'INTEGER'],
    [/^bigint.* unsigned/, 'UBIGINT'],
    [/^bigint/, 'BIGINT'],
    [/^float/, 'FLOAT'],
    [/^double/, 'DOUBLE'],
    [/^decimal/, 'DECIMAL(38,0)'],
    [/^date$/, 'DATE'],
    [/^datetime/, 'TIMESTAMP'],
    [/^timestamp/, 'TIMESTAMP WITH TIME ZONE'],
    [/^time/, 'TIME'],
    [/^(tiny|medium|long)?blob|^(var)?binary/, 'BLOB'],
    [/^json$/, 'JSON'],
  ],
  // Its own types are the ones that rows travel in.
  duckdb: [[/^(?!VARCHAR$|UUID$|ENUM|INTERVAL$|BIT$).*$/, '$&']],
}

/** What a column of a database means in DuckDB; null where its stored form is all there is to it. */
export function logicalTypeOf(database: DatabaseType, declared: string): string | null {
  const decimal = /^(?:DECIMAL_TEXT|numeric|decimal)\((\d+),\s*(\d+)\)$/i.exec(declared.trim())
  if (decimal && Number(decimal[1]) <= 38 && Number(decimal[2]) <= Number(decimal[1]))
    return `DECIMAL(${decimal[1]},${decimal[2]})`
  const found = logical[database].find(([pattern]) => pattern.test(declared.trim()))?.[1] ?? null
  return found === '$&' ? declared.trim() : found
}

/** Whether a column of a declared kind takes values of a kind without loss. */
export function holds(column: ValueKind, value: ValueKind): boolean {
  if (column === value || column === 'text') return true
  const wider: Partial<Record<ValueKind, ValueKind[]>> = {
    integer: ['boolean'],
    float: ['integer', 'boolean'],
    decimal: ['integer', 'float', 'boolean'],
    timestamp: ['date', 'timestamptz'],
    timestamptz: ['timestamp', 'date'],
    json: ['text', 'integer', 'float', 'decimal', 'boolean'],
  }
  return wider[column]?.includes(value) ?? false
}
