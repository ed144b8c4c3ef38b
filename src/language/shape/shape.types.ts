import type { Report } from '../diagnostic-collector.ts'
import type { ScopeDescription } from '../expressions/references.ts'
import type { SqlDialect } from '../sql/scan-sql.ts'
import type { DashboardSurroundings } from '../dashboard/dashboard-surroundings.ts'
import type { JobSurroundings } from '../job/job-surroundings.ts'
import type { ConnectorSlot } from '../task/task.types.ts'
import type { Span, YamlNode } from '../yaml/yaml-tree.ts'
import type { JsonSchema } from './json-schema.ts'
import type { Message } from '../message.ts'

/** One SQL text in a document. */
export interface SqlPart {
  sql: string
  /** One value rather than a query. */
  expression: boolean
  path: string
  /** Where a part of it stands in the document. */
  span(start: number, end: number): Span
}

/** What a reader knows about the document around the node it reads. */
export interface ReadContext {
  readonly text: string
  readonly report: Report
  /** What `${{ }}` may refer to here. */
  readonly scope: ScopeDescription
  /** Names that mean something at other places of the document only, and what to say about that. */
  readonly elsewhere: Readonly<Record<string, Message>>
  /** What outputs may refer to: the run is over then. */
  readonly outputScope: ScopeDescription
  /** Names that `:name` may take here: arguments, and the `params` beside the SQL. */
  readonly binds: readonly string[]
  /** Those of `binds` that are `params` beside the SQL rather than arguments. */
  readonly params: ReadonlySet<string>
  /** How SQL is written here. */
  readonly dialect: SqlDialect
  /** What is actually used, for the warnings about what is not. `state`: some expression reads `state.cursor`. */
  readonly used: { slots: Set<string>; arguments: Set<string>; state: boolean }
  /** Names of the task's `inputs`. */
  readonly inputs: readonly string[]
  /** The task declares `state.cursor`. */
  readonly hasCursor: boolean
  /** null under a name: a slot whose own definition is wrong, about which nothing more is said. */
  readonly slots: ReadonlyMap<string, ConnectorSlot | null>
  /** Where SQL that DuckDB is to run is noted, if somebody wants it. */
  readonly sqlParts?: SqlPart[]
  /** Of a job template only. */
  readonly job?: JobSurroundings
  /** Of a dashboard template only. */
  readonly dashboard?: DashboardSurroundings
}

/**
 * One kind of value: how it is described (JSON Schema, from which come completion, hover and docs) and how it is read.
 * `read` gives the normalised value, or undefined after it has reported why there is none.
 */
export interface Shape<T> {
  readonly schema: JsonSchema
  read(node: YamlNode, path: string, context: ReadContext): T | undefined
}

export interface Describe<T> {
  /** One or two sentences of Markdown: what it does. Shown on hover, in completion and in the docs. */
  description: string
  examples?: T[]
}
