import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { castExpression } from '../../../src/executor/engine/casts.ts'
import { duckDbType } from '../../../src/executor/engine/sql-text.ts'
import type { ColumnType } from '../../../src/language/task/column-types.ts'
import type { Rounding } from '../../../src/language/task/steps/step.types.ts'

/** Types that values come in, each with values that others hold, hold in part, and do not hold; as SQL literals. */
const sources: readonly { title: string; duckdb: string; values: readonly string[] }[] = [
  {
    title: 'text',
    duckdb: 'VARCHAR',
    values: [
      "'7'",
      "'1.5'",
      "'1.005'",
      "'1e400'",
      "'12345678901234567891.5'",
      "'true'",
      "'x'",
      `'{"a": 1}'`,
      "'2024-05-06'",
      "'2024-05-06 07:08:09'",
      "'2024-05-06 07:08:09.1234567'",
      "'07:08:09'",
      "'07:08:09.1234567'",
    ],
  },
  { title: 'boolean', duckdb: 'BOOLEAN', values: ['true', 'false'] },
  { title: 'integer', duckdb: 'BIGINT', values: ['0', '7', '9007199254740993', '99999999999999999'] },
  { title: 'number', duckdb: 'DOUBLE', values: ['1', '0.1', '1.005', '1e300', "'nan'"] },
  { title: 'decimal(20,4)', duckdb: 'DECIMAL(20,4)', values: ['1', '1.5', '1.0050', '1234567890123456.7891'] },
  { title: 'date', duckdb: 'DATE', values: ["'2024-05-06'"] },
  { title: 'time', duckdb: 'TIME', values: ["'07:08:09.123456'"] },
  { title: 'timestamp', duckdb: 'TIMESTAMP', values: ["'2024-05-06'", "'2024-05-06 07:08:09.123456'"] },
  {
    title: 'timestamp, nanoseconds',
    duckdb: 'TIMESTAMP_NS',
    values: ["'2024-05-06'", "'2024-05-06 07:08:09.123456789'"],
  },
  {
    title: 'timestamp with zone',
    duckdb: 'TIMESTAMPTZ',
    values: ["'2024-05-06 00:00:00+00'", "'2024-05-06 07:08:09+02'"],
  },
  { title: 'bytes', duckdb: 'BLOB', values: ["'abc'::BLOB", "'\\xFF'::BLOB"] },
  { title: 'JSON', duckdb: 'JSON', values: [`'{"a": 1}'`, "'7'", `'"7"'`, "'1.5'"] },
]

const targets: readonly ColumnType[] = [
  'string',
  'integer',
  'number',
  'decimal(18,2)',
  'boolean',
  'date',
  'time',
  'datetime',
  'json',
  'binary',
]

/** `exact`: every value; `if lossless`: those that the type holds exactly; `round`, `truncate`: more on request; `refused`: nothing. */
function shown(exact: number, rounded: number, cut: number, all: number): string {
  if (exact === all) return 'exact'
  const more = [...(rounded > exact ? ['`round`'] : []), ...(cut > exact ? ['`truncate`'] : [])]
  if (exact === 0 && more.length === 0) return 'refused'
  return [...(exact > 0 ? ['if lossless'] : ['refused']), ...more].join(', ')
}

async function count(
  duckdb: DuckDBConnection,
  from: string,
  value: string,
  type: ColumnType,
  rounding?: Rounding,
): Promise<number> {
  const cast = castExpression({ column: 'v', from, type, to: duckDbType(type), rounding })
  const rows = await duckdb.runAndReadAll(`SELECT (${cast}) IS NOT NULL FROM (SELECT CAST(${value} AS ${from}) AS v)`)
  return rows.getRows()[0]?.[0] === true ? 1 : 0
}

/** What becomes of values of each type in each type of the task language: seen, not remembered. */
export async function castTable(): Promise<string[]> {
  const instance = await DuckDBInstance.create()
  const duckdb = await instance.connect()
  await duckdb.run(`SET TimeZone = 'UTC'`)
  const lines = [
    `| from | ${targets.map((type) => `\`${type}\``).join(' | ')} |`,
    `|---|${targets.map(() => '---').join('|')}|`,
  ]
  for (const { title, duckdb: stored, values } of sources) {
    // The name that DuckDB itself gives the type.
    const [described] = (await duckdb.runAndReadAll(`DESCRIBE SELECT CAST(NULL AS ${stored}) AS v`)).getRows()
    const from = String(described?.[1])
    const cells: string[] = []
    for (const type of targets) {
      const totals = [0, 0, 0]
      for (const value of values) {
        for (const [at, rounding] of [undefined, 'round', 'truncate'].entries())
          totals[at] = (totals[at] ?? 0) + (await count(duckdb, from, value, type, rounding as Rounding | undefined))
      }
      const [exact = 0, rounded = 0, cut = 0] = totals
      const decimal = type === 'integer' || type.startsWith('decimal')
      const isMoment = type === 'date' || type === 'time' || type === 'datetime'
      cells.push(
        shown(exact, decimal || type === 'number' ? rounded : exact, decimal || isMoment ? cut : exact, values.length),
      )
    }
    lines.push(`| ${title} | ${cells.join(' | ')} |`)
  }
  duckdb.closeSync()
  instance.closeSync()
  return lines
}
