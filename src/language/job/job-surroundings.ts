import type { ScopeDescription, ScopeRoot } from '../expressions/references.ts'
import type { JobGraph } from './job-graph.ts'
import type { Message } from '../message.ts'
import type { Noun } from '../nearest.ts'

/** What the parts of a job template know of the whole, while they are read. */
export interface JobSurroundings {
  graph: JobGraph
  /** `parameters` in expressions. */
  parameters: ScopeRoot
  /** Key of the task or gate at hand; empty outside of `tasks`. */
  key: string
  /** What the `args` of the task at hand may refer to: with `each` where it has a `for_each`. */
  argsScope: ScopeDescription
  /** What to say of a name that is not there. Looks for the nearest a few times only: there may be thousands of each. */
  suggest(name: string, candidates: readonly string[], noun: Noun): Message
}
