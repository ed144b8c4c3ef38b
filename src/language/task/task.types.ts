/**
 * What the parts of a task document share, as everything downstream reads it: normalised, short forms expanded, defaults filled in,
 * durations in milliseconds. Field names are those of the YAML. `parseTask` makes the document; `resolveTask` returns one without
 * expressions. Its parts: `kinds/task-document.types.ts`, `sources/source.types.ts`, `steps/step.types.ts`, `targets/target.types.ts`.
 *
 * "Template" there and here means: before `resolveTask` the text may still hold `${{ … }}`; afterwards it never does.
 */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

export type Access = 'read' | 'write' | 'read_write'

/** A typed connector slot; bound to a connector when a run or job is made. */
export interface ConnectorSlot {
  /** Connector types that may be bound: one or more of `connectorTypes`. */
  types: string[]
  access: Access
  description?: string
}

export type ArgumentType =
  | 'string'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'duration'
  | 'list'
  | 'json'

export interface ArgumentSpec {
  type: ArgumentType
  /** true: a run without it is refused. Otherwise a missing value is `default`, or null where there is no default. */
  required: boolean
  /** A literal, or a template over `run` (e.g. `${{ run.logical_date }}`). Absent where none is written. */
  default?: Json
  /** The allowed values; of a list: the allowed items. */
  enum?: Json[]
  /** Smallest value; of text its length, of a list its number of items, of a duration a duration. */
  min?: number | string
  max?: number | string
  /** Text (or each text item of a list) must match from start to end. A safe subset, see `pattern.ts`. */
  pattern?: string
  /** Type of a list's items. */
  items?: Exclude<ArgumentType, 'list'>
  description?: string
}

export type FileFormat = 'csv' | 'jsonl' | 'json' | 'parquet' | 'xlsx'

/** One request, relative to the connector's base URL. */
export interface HttpRequest {
  /** Template. */
  path: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Templates. A list repeats the parameter; null leaves it out. */
  query: Record<string, Json>
  /** Templates. Never credentials: those are the connector's. */
  headers: Record<string, string>
  /** Templates. Sent as JSON; null: no body. */
  body: Json
}

/** Values by bind name. Every `:name` that the SQL beside it uses is a key here, whether it was written or is an argument. */
export type Binds = Record<string, Json>

/** Something done around the run: statements in a database, or a request. */
export type Hook =
  | { kind: 'sql'; connector: string; statements: string[]; params: Binds }
  | { kind: 'http'; connector: string; request: HttpRequest }

export interface Hooks {
  /** Before the source is opened; a failure fails the run. */
  before: Hook[]
  /** After the target has committed; a failure fails the run, the target stays written. */
  after: Hook[]
  /** After a failure (also of `before` and `after`); a failure here is logged. */
  on_error: Hook[]
}

export interface RetryPolicy {
  /** Further attempts after the first; 0 for none. */
  max: number
  /** Before the first retry. */
  delay_ms: number
  /** Each further delay is the one before times this. */
  backoff: number
}

/** What every kind of task has. */
export interface TaskBase {
  etl: 1
  name: string
  description: string | null
  tags: string[]
  connectors: Record<string, ConnectorSlot>
  args: Record<string, ArgumentSpec>
  hooks: Hooks
  /** Templates; evaluated by `evaluateOutputs` after the task has done its work. */
  outputs: Record<string, Json>
  retries: RetryPolicy
  /** null: no limit. */
  timeout_ms: number | null
}
