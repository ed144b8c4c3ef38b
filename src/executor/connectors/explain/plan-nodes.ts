/** Plans of systems, as one list of nodes. Pure. */
import type { PlanNode } from '../../../contract/explain.ts'

type Part = Record<string, unknown>

/** Collects nodes; what a system doesn't tell is null. */
export function planList() {
  const nodes: PlanNode[] = []
  return {
    nodes,
    add(parent: number | null, node: string, told: Partial<Omit<PlanNode, 'parent' | 'node'>> = {}): number {
      const nothing = { detail: [], rows: null, cost: null, actual_rows: null, time_ms: null }
      nodes.push({ parent, node, ...nothing, ...told })
      return nodes.length - 1
    },
  }
}

export const isPart = (value: unknown): value is Part =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const partsOf = (value: unknown): Part[] => (Array.isArray(value) ? value.filter(isPart) : isPart(value) ? [value] : [])

/** A number that may be written as text; null: it is none. */
export function numberIn(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : Array.isArray(value) && value.every((one) => typeof one !== 'object')
      ? value.join(', ')
      : JSON.stringify(value)

/** `Filter: total > 5` for each of these that is there. */
const told = (part: Part, names: readonly string[]): string[] =>
  names.flatMap((name) => (part[name] === undefined || part[name] === '' ? [] : [`${name}: ${textOf(part[name])}`]))

const postgresDetails = [
  'Index Cond',
  'Recheck Cond',
  'Hash Cond',
  'Merge Cond',
  'Join Filter',
  'Filter',
  'Rows Removed by Filter',
  'Sort Key',
  'Sort Method',
  'Group Key',
  'Strategy',
  'Join Type',
  'Subplan Name',
  'Workers Launched',
]

/** `EXPLAIN (FORMAT JSON)`. Times and rows are per loop there. */
export function postgresPlan(plan: unknown): PlanNode[] {
  const list = planList()
  const walk = (part: Part, parent: number | null): void => {
    const loops = numberIn(part['Actual Loops']) ?? 1
    const over = (value: number | null) => (value === null ? null : value * loops)
    const place = [part['Schema'], part['Relation Name'] ?? part['CTE Name'] ?? part['Function Name']]
      .filter((one) => typeof one === 'string')
      .join('.')
    const alias = part['Alias'] === part['Relation Name'] ? undefined : part['Alias']
    const index = typeof part['Index Name'] === 'string' ? [`Index: ${part['Index Name']}`] : []
    const at = list.add(parent, textOf(part['Node Type']), {
      detail: [
        ...(place ? [alias === undefined ? place : `${place} ${textOf(alias)}`] : []),
        ...index,
        ...told(part, postgresDetails),
      ],
      rows: numberIn(part['Plan Rows']),
      cost: numberIn(part['Total Cost']),
      actual_rows: over(numberIn(part['Actual Rows'])),
      time_ms: over(numberIn(part['Actual Total Time'])),
    })
    for (const child of partsOf(part['Plans'])) walk(child, at)
  }
  for (const root of partsOf(plan)) if (isPart(root['Plan'])) walk(root['Plan'], null)
  return list.nodes
}

type PlanNumber = 'rows' | 'cost' | 'actual_rows' | 'time_ms'
const mysqlNumbers: Readonly<Record<string, PlanNumber>> = {
  rows: 'rows',
  rows_examined_per_scan: 'rows',
  cost: 'cost',
  query_cost: 'cost',
  prefix_cost: 'cost',
  r_rows: 'actual_rows',
  r_total_time_ms: 'time_ms',
  r_table_time_ms: 'time_ms',
}

/** `FORMAT=JSON` of MySQL and MariaDB: objects are steps, lists hold steps, all else describes them. Rows are per loop there. */
export function mysqlPlan(plan: unknown): PlanNode[] {
  const list = planList()
  const walk = (name: string, part: Part, parent: number | null): void => {
    const costs = isPart(part['cost_info']) ? part['cost_info'] : {}
    const numbers: Partial<Record<PlanNumber, number>> = {}
    const detail: string[] = []
    for (const [key, value] of Object.entries({ ...part, ...costs })) {
      const number = numberIn(value)
      const field = mysqlNumbers[key]
      if (field && number !== null) numbers[field] ??= number
      else if (key !== 'cost_info' && !holdsParts(value) && !/^r_|^(select_id|filtered|loops|.*_cost)$/.test(key))
        detail.push(key === 'table_name' ? textOf(value) : `${key.replaceAll('_', ' ')}: ${textOf(value)}`)
    }
    const loops = numberIn(part['r_loops']) ?? 1
    const { actual_rows, ...rest } = numbers
    const at = list.add(parent, name.replaceAll('_', ' '), {
      detail,
      ...rest,
      ...(actual_rows === undefined ? {} : { actual_rows: actual_rows * loops }),
    })
    for (const [key, value] of Object.entries(part)) if (key !== 'cost_info') inside(key, value, at)
  }
  const inside = (key: string, value: unknown, parent: number | null): void => {
    if (isPart(value)) walk(key, value, parent)
    else if (Array.isArray(value) && holdsParts(value)) {
      const own = list.add(parent, key.replaceAll('_', ' '))
      for (const part of partsOf(value)) for (const [name, inner] of Object.entries(part)) inside(name, inner, own)
    }
  }
  if (isPart(plan)) for (const [key, value] of Object.entries(plan)) if (isPart(value)) inside(key, value, null)
  return list.nodes
}

const holdsParts = (value: unknown): boolean => isPart(value) || (Array.isArray(value) && value.some(isPart))

/** Rows of `EXPLAIN QUERY PLAN`: id, parent, and a sentence. */
export function sqlitePlan(rows: readonly (readonly unknown[])[]): PlanNode[] {
  const list = planList()
  const known = new Map<string, number>()
  for (const [id, parent, , sentence] of rows) {
    const [, node = '', rest = ''] = /^(\S+)\s*(.*)$/s.exec(textOf(sentence)) ?? []
    const at = list.add(known.get(textOf(parent)) ?? null, node, { detail: rest === '' ? [] : [rest] })
    known.set(textOf(id), at)
  }
  return list.nodes
}

/** DuckDB's `FORMAT JSON`, planned or measured. Its times are each step's own, in seconds. */
export function duckDbPlan(plan: unknown): PlanNode[] {
  const list = planList()
  const walk = (part: Part, parent: number | null): void => {
    const extra = isPart(part['extra_info']) ? part['extra_info'] : {}
    const { 'Estimated Cardinality': expected, ...more } = extra
    const seconds = numberIn(part['operator_timing'])
    const name = textOf(part['operator_name'] ?? part['name'] ?? part['operator_type'] ?? '').trim()
    // The measured plan begins with what is not a step of the query.
    const isFrame = name === '' || /^EXPLAIN(_ANALYZE)?$/.test(name)
    const at = isFrame
      ? parent
      : list.add(parent, name, {
          detail: Object.entries(more).flatMap(([key, value]) =>
            textOf(value) === '' ? [] : [`${key.replace(/^__|__$/g, '')}: ${textOf(value)}`],
          ),
          rows: numberIn(expected),
          actual_rows: numberIn(part['operator_cardinality']),
          time_ms: seconds === null ? null : seconds * 1000,
        })
    for (const child of partsOf(part['children'])) walk(child, at)
  }
  for (const root of partsOf(plan)) walk(root, null)
  return list.nodes
}

const stageDetails = ['indexName', 'keyPattern', 'direction', 'indexBounds', 'filter', 'sortPattern', 'transformBy']

/** MongoDB's stages; where a server that speaks its protocol answers with the plan of its own database, that one. */
export function mongoPlan(plan: unknown): PlanNode[] {
  const list = planList()
  const stage = (part: Part, parent: number | null): void => {
    const at = list.add(parent, textOf(part['stage'] ?? part['queryPlan'] ?? ''), {
      detail: told(part, stageDetails),
      actual_rows: numberIn(part['nReturned']),
      time_ms: numberIn(part['executionTimeMillisEstimate']),
    })
    for (const key of ['inputStage', 'inputStages', 'outerStage', 'innerStage', 'queryPlan'])
      for (const child of partsOf(part[key])) stage(child, at)
  }
  const read = (part: Part, parent: number | null): number | null => {
    const planner = isPart(part['queryPlanner']) ? part['queryPlanner'] : {}
    const stats = isPart(part['executionStats']) ? part['executionStats'] : {}
    const root = [stats['executionStages'], planner['winningPlan']].find(isPart)
    const before = list.nodes.length
    if (root) stage(root, parent)
    else if (isPart(planner['Plan'])) list.nodes.push(...postgresPlan([planner]))
    return list.nodes.length > before ? before : parent
  }
  if (!isPart(plan)) return []
  const stages = partsOf(plan['stages'])
  if (stages.length === 0) read(plan, null)
  // The last stage is what the others feed.
  const add = (at: number, parent: number | null): void => {
    const [name = '', body] = Object.entries(stages[at] ?? {})[0] ?? []
    if (at < 0 || name === '') return
    const own = name === '$cursor' && isPart(body) ? read(body, parent) : null
    const counts = {
      actual_rows: numberIn(stages[at]?.['nReturned']),
      time_ms: numberIn(stages[at]?.['executionTimeMillisEstimate']),
    }
    const node = name === '$cursor' ? own : list.add(parent, name, { detail: [textOf(body)], ...counts })
    add(at - 1, node)
  }
  add(stages.length - 1, null)
  // A server that speaks the protocol may describe its plan in a form of its own.
  if (list.nodes.length === 0) list.add(null, 'plan', { detail: told(plan, ['queryPlanner']) })
  return list.nodes
}
