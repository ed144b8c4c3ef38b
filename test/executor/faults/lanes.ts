/** How the rows travel, and what looks at them on the way. */
export interface Lane {
  readonly name: string
  /** The source gives `code` as a number; else a step makes it one. */
  readonly typed: boolean
  /** The most rows that it is given: where each takes its time, fewer, but still of many chunks. */
  readonly rows: number
  /** What follows `steps: `. */
  readonly steps: string
  /** The stage that meets a code that is no number. */
  readonly breaks: string
  /** Rows never pass through the columnar lane. */
  readonly direct?: 'pushdown' | 'bytes'
}

const isNumber = `regexp_full_match(code, '[0-9]+')`

export const lanes: readonly Lane[] = [
  { name: 'no step', typed: true, rows: 200_000, steps: '[]', breaks: 'source' },
  {
    name: 'fused steps',
    typed: false,
    rows: 200_000,
    steps:
      '[{select: [id, name, amount, code]}, {cast: {code: integer}}, {derive: {amount: amount + 0}}, {filter: id > 0}, {sql: SELECT * FROM stream}]',
    breaks: 'cast',
  },
  {
    name: 'map',
    typed: false,
    rows: 12_000,
    steps: `[{map: {expression: '{"id": id, "name": name, "amount": amount, "code": $number(code)}', columns: {id: integer, name: string, amount: integer, code: integer}}}]`,
    breaks: 'map',
  },
  {
    name: 'expect and quarantine',
    typed: false,
    rows: 200_000,
    steps: `[{expect: [{name: number, check: "${isNumber}", on_fail: fail}]}, {cast: {columns: {code: integer}, on_error: quarantine}}]`,
    breaks: 'expect',
  },
  {
    name: 'pushdown',
    typed: true,
    rows: 200_000,
    steps: '[{select: [id, name, amount, code]}]',
    breaks: 'source',
    direct: 'pushdown',
  },
  {
    name: 'bytes',
    typed: true,
    rows: 200_000,
    steps: '[{select: [id, name, amount, code]}]',
    breaks: 'source',
    direct: 'bytes',
  },
]
