/** The kinds of task, normalised: `TaskDocument` is any of them. What `task.types.ts` says holds here. */
import type { CursorSpec, TaskSource } from '../sources/source.types.ts'
import type { TaskStep } from '../steps/step.types.ts'
import type { TaskTarget } from '../targets/target.types.ts'
import type { Binds, HttpRequest, TaskBase } from '../task.types.ts'

export interface PipelineTask extends TaskBase {
  kind: 'pipeline'
  state: { cursor: CursorSpec | null }
  source: TaskSource
  /** Further sources, for `lookup` and `sql` steps. */
  inputs: Record<string, TaskSource>
  steps: TaskStep[]
  target: TaskTarget
  /** The run fails once rejected / read rows is above this; 1 never fails. */
  dead_letter: { max_ratio: number }
}

/** Statements inside one database. */
export interface SqlTask extends TaskBase {
  kind: 'sql'
  sql: {
    connector: string
    /** In order. `:name` binds stand in them as written. */
    work:
      | { kind: 'statements'; statements: string[]; transaction: boolean }
      /** A table made, or made anew, from a query, in one transaction. */
      | { kind: 'create_as'; table: string; query: string }
    params: Binds
  }
}

/** One HTTP call. Outputs may read `response.status`, `response.headers` and `response.body`. */
export interface HttpTask extends TaskBase {
  kind: 'http'
  http: {
    connector: string
    request: HttpRequest
    /** An expression over `response` that must be true (a template of one expression); null: any 2xx status. */
    success: string | null
  }
}

/** JavaScript without any I/O. `args` and `run` are its globals; what it returns is `result` for the outputs. */
export interface ScriptTask extends TaskBase {
  kind: 'script'
  script: { code: string; memory_mb: number }
}

/** A program of the executor's machine, without a shell. Outputs may read `result.exit_code` and `result.stdout` (the last 64 KB). */
export interface CommandTask extends TaskBase {
  kind: 'command'
  command: {
    /** Templates. */
    argv: string[]
    /** Templates, added to the executor's own environment variables that are safe to pass on. */
    env: Record<string, string>
    /** Exit codes that mean success. */
    success_codes: number[]
  }
}

export type TaskDocument = PipelineTask | SqlTask | HttpTask | ScriptTask | CommandTask
