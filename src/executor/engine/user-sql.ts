import { shortened } from '../../language/shortened.ts'
import { findBinds } from '../../language/sql-binds.ts'
import type { Binds } from '../../language/task/task.types.ts'
import type { DuckSession } from './duckdb.ts'
import { EngineError, fewNames } from './errors.ts'
import { text } from './sql-text.ts'
import { runMessage } from '../../contract/run-messages.ts'

/**
 * SQL of users runs inside a locked-down DuckDB; this is the wall before that wall. DuckDB's own parser gives the syntax tree, and
 * only one SELECT over `stream`, or one scalar expression, gets through.
 */
export interface SelectShape {
  /** How often `stream` is read. */
  scans: number
  /** Those of the task's inputs that it reads. */
  inputs: string[]
  /** Tables listed side by side (`FROM a, b`): these need the optimiser to move their WHERE into the join. */
  crossJoins: boolean
}

/** Table functions that make rows out of their arguments alone. */
const harmlessTableFunctions = new Set(['unnest', 'range', 'generate_series', 'json_each', 'json_tree', 'repeat'])
/** Scalar functions that see more than their arguments, or act. A test knows every other one that DuckDB has. */
const closedFunctions = new Set([
  'getenv',
  'current_setting',
  'current_query',
  'get_block_size',
  'json_deserialize_sql',
  'json_serialize_plan',
  'json_serialize_sql',
  'pg_get_constraintdef',
  'pg_get_viewdef',
  'pg_sleep',
  'write_log',
  'nextval',
  'currval',
  'sleep_ms',
  'set_config',
  'query',
  'query_table',
])

/** Puts the values of `:name` into variables of the session, and reads of these into the SQL. NULL stays NULL: a variable with it is an integer. */
export async function bindSql(session: DuckSession, sql: string, params: Binds): Promise<string> {
  const reads = new Map<string, string>()
  let bound = ''
  let at = 0
  for (const bind of findBinds(sql)) {
    let read = reads.get(bind.name)
    if (read === undefined) {
      const value = params[bind.name]
      if (value === undefined) {
        throw new EngineError('SQL_INVALID', runMessage('bind_undeclared', { name: bind.name }), {
          hint: runMessage('bind_undeclared_fix', { name: bind.name }),
        })
      }
      read = value === null ? '(NULL)' : `getvariable('${await session.setVariable(value)}')`
      reads.set(bind.name, read)
    }
    bound += `${sql.slice(at, bind.start)}${read}`
    at = bind.end
  }
  return bound + sql.slice(at)
}

/** Whether a query lists tables side by side; false where it does not read: it is checked, and refused, when its turn comes. */
export async function listsTables(session: DuckSession, query: string): Promise<boolean> {
  let bare = query
  for (const bind of findBinds(query).toReversed()) bare = `${bare.slice(0, bind.start)}NULL${bare.slice(bind.end)}`
  const statement = await parse(session, bare, query).catch(() => null)
  let found = false
  walk(statement, (node) => {
    found ||= crossJoin(node)
  })
  return found
}

function crossJoin(node: Record<string, unknown>): boolean {
  return node['type'] === 'JOIN' && node['ref_type'] === 'CROSS'
}

/** Lets one SELECT over `stream` and the task's inputs through. */
export async function checkSelect(
  session: DuckSession,
  sql: string,
  inputs: readonly string[] = [],
): Promise<SelectShape> {
  const statement = await parse(session, sql, sql)
  const tables = new Set(['stream', ...commonTables(statement)])
  return inspect(statement, { tables, inputs, scalar: false })
}

/** Lets one scalar expression through. What it uses; null: more than values of its row. */
export async function checkScalar(session: DuckSession, expression: string): Promise<ScalarUse | null> {
  const refused = (): EngineError =>
    new EngineError('SQL_NOT_ALLOWED', runMessage('not_one_expression', { expression: shortened(expression, 200) }), {
      hint: runMessage('not_one_expression_fix'),
    })
  const statement = await parse(session, `SELECT ${expression}`, expression)
  const node = record(statement['node'])
  const list = node['select_list']
  const bare =
    node['type'] === 'SELECT_NODE' &&
    Array.isArray(list) &&
    list.length === 1 &&
    record(node['from_table'])['type'] === 'EMPTY' &&
    ['where_clause', 'having', 'qualify', 'sample'].every((key) => node[key] === null || node[key] === undefined) &&
    isEmpty(node['group_expressions']) &&
    isEmpty(node['modifiers'])
  if (!bare) throw refused()
  const only = record(list[0])
  if (only['class'] === 'STAR' || !isEmpty(only['alias'])) throw refused()
  inspect(statement, { tables: new Set(commonTables(statement)), inputs: [], scalar: true })
  refuseUnnest(only)
  return useOf(only)
}

export interface ScalarUse {
  calls: string[]
  /** Names of columns; also `current_date` and its like, which are no columns. */
  reads: string[]
}

const ofOneRow = new Set([
  'BETWEEN',
  'CASE',
  'CAST',
  'COLLATE',
  'COLUMN_REF',
  'COMPARISON',
  'CONJUNCTION',
  'CONSTANT',
  'FUNCTION',
  'OPERATOR',
])

function useOf(expression: Record<string, unknown>): ScalarUse | null {
  const use: ScalarUse = { calls: [], reads: [] }
  let isOfOneRow = true
  walk(expression, (node) => {
    if (typeof node['class'] !== 'string') return
    isOfOneRow &&= ofOneRow.has(node['class'])
    if (node['class'] === 'FUNCTION') use.calls.push(String(node['function_name']).toLowerCase())
    if (node['class'] === 'COLUMN_REF' && Array.isArray(node['column_names']))
      use.reads.push(String(node['column_names'][0]).toLowerCase())
  })
  return isOfOneRow ? use : null
}

/** In a subquery it is harmless: `id IN (SELECT unnest(:ids))`. */
function refuseUnnest(expression: unknown): void {
  const open: unknown[] = [expression]
  while (open.length > 0) {
    const node = open.pop()
    if (Array.isArray(node)) open.push(...node)
    else if (typeof node === 'object' && node !== null) {
      const { class: kind, function_name: called } = record(node)
      if (kind === 'SUBQUERY') continue
      if (kind === 'FUNCTION' && (called === 'unnest' || called === 'unlist')) {
        throw new EngineError('SQL_NOT_ALLOWED', runMessage('unnest_refused'), {
          hint: runMessage('unnest_refused_fix'),
        })
      }
      open.push(...Object.values(node))
    }
  }
}

/** The syntax tree of the one SELECT that the SQL is. */
export async function parse(
  session: Pick<DuckSession, 'rows'>,
  sql: string,
  shown: string,
): Promise<Record<string, unknown>> {
  // The tree needs the text as a constant; quoting it is all that is done with it here.
  const [answer] = await session.rows(`SELECT json_serialize_sql(${text(sql)})`)
  const tree = record(JSON.parse(String(answer?.[0])))
  if (tree['error'] === true) {
    const why = String(tree['error_message'])
    if (tree['error_type'] === 'parser') {
      throw new EngineError('SQL_INVALID', runMessage('sql_mistake', { cause: why }), {
        hint: runMessage('sql_mistake_fix', { sql: shortened(shown, 500) }),
      })
    }
    throw new EngineError('SQL_NOT_ALLOWED', runMessage('only_select', { sql: shortened(shown, 200) }), {
      hint: runMessage('only_select_fix'),
    })
  }
  const statements = tree['statements']
  if (!Array.isArray(statements) || statements.length !== 1) {
    throw new EngineError('SQL_NOT_ALLOWED', runMessage('one_statement_in_step', { sql: shortened(shown, 200) }), {
      hint: runMessage('one_statement_in_step_fix'),
    })
  }
  return record(statements[0])
}

interface Rules {
  tables: Set<string>
  inputs: readonly string[]
  scalar: boolean
}

function inspect(statement: unknown, rules: Rules): SelectShape {
  const shape: SelectShape = { scans: 0, inputs: [], crossJoins: false }
  walk(statement, (node) => {
    if (node['type'] === 'BASE_TABLE') readTable(node, rules, shape)
    refuseUnsafe(node)
    if (crossJoin(node)) shape.crossJoins = true
  })
  return shape
}

/** Refuses what sees or does more than a query over its tables. */
export function refuseUnsafe(node: Record<string, unknown>): void {
  if (node['type'] === 'SHOW_REF') {
    throw new EngineError('SQL_NOT_ALLOWED', runMessage('describe_refused'), {
      hint: runMessage('describe_refused_fix'),
    })
  }
  if (node['type'] === 'TABLE_FUNCTION') {
    const called = String(record(node['function'])['function_name']).toLowerCase()
    if (!harmlessTableFunctions.has(called)) {
      throw new EngineError('SQL_NOT_ALLOWED', runMessage('table_function_refused', { name: called }), {
        hint: runMessage('table_function_refused_fix'),
      })
    }
  }
  if (node['class'] === 'FUNCTION') readFunction(node)
}

function readTable(node: Record<string, unknown>, rules: Rules, shape: SelectShape): void {
  const table = String(node['table_name'])
  const plain = isEmpty(node['schema_name']) && isEmpty(node['catalog_name'])
  const input = rules.inputs.find((candidate) => candidate.toLowerCase() === table.toLowerCase())
  if (!plain || (input === undefined && !rules.tables.has(table.toLowerCase()))) {
    throw new EngineError('SQL_NOT_ALLOWED', runMessage('not_readable_here', { name: table }), {
      hint: rules.scalar
        ? runMessage('use_sql_step_for_more')
        : rules.inputs.length === 0
          ? runMessage('sql_step_reads')
          : runMessage('sql_step_reads_inputs', { inputs: fewNames(rules.inputs) }),
    })
  }
  if (input !== undefined && !shape.inputs.includes(input)) shape.inputs.push(input)
  if (table.toLowerCase() === 'stream') shape.scans++
}

function readFunction(node: Record<string, unknown>): void {
  const called = String(node['function_name']).toLowerCase()
  if (closedFunctions.has(called)) {
    throw new EngineError('SQL_NOT_ALLOWED', runMessage('function_refused', { name: called }), {
      hint: runMessage('function_refused_fix'),
    })
  }
}

/** Names of WITH, wherever they stand. */
export function commonTables(statement: unknown): string[] {
  const found: string[] = []
  walk(statement, (node) => {
    const map = record(node['cte_map'])['map']
    if (Array.isArray(map)) found.push(...map.map((entry) => String(record(entry)['key']).toLowerCase()))
  })
  return found
}

/** A table that a query reads, and that no WITH of its own names. */
export interface TableMention {
  /** Where it stands, in bytes of UTF-8. */
  at: number
  catalog: string | null
  schema: string | null
  table: string
  alias: string | null
}

/** Each place once: the tree may name it twice. */
export function tableMentions(statement: unknown): TableMention[] {
  const common = new Set(commonTables(statement))
  const found = new Map<number, TableMention>()
  const written = (value: unknown): string | null => (isEmpty(value) ? null : String(value))
  walk(statement, (node) => {
    if (node['type'] !== 'BASE_TABLE') return
    const [catalog, schema] = [written(node['catalog_name']), written(node['schema_name'])]
    const table = String(node['table_name'])
    if (catalog === null && schema === null && common.has(table.toLowerCase())) return
    const at = Number(node['query_location'])
    found.set(at, { at, catalog, schema, table, alias: written(node['alias']) })
  })
  return [...found.values()]
}

export function walk(node: unknown, visit: (node: Record<string, unknown>) => void): void {
  const open: unknown[] = [node]
  while (open.length > 0) {
    const next = open.pop()
    if (Array.isArray(next)) open.push(...next)
    else if (typeof next === 'object' && next !== null) {
      visit(next as Record<string, unknown>) // parsed JSON: an object's keys are text
      open.push(...Object.values(next))
    }
  }
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {} // parsed JSON
}

export function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}
