/** What is asked of JSONata, and what it answers; apart from it, because it is loaded when it is first asked. */
import type { QueryField } from '../../../contract/query-values.ts'

export interface JsonataQuestion {
  expression: string
  fields: readonly QueryField[]
  rows: readonly (readonly unknown[])[]
}
export type JsonataProblem =
  /** `position`: how many characters stand before the mistake; null: JSONata doesn’t say. */
  | { kind: 'mistake'; message: string; position: number | null }
  | { kind: 'late'; seconds: number }
  /** More values than the window could hold were made on the way. */
  | { kind: 'tooMuch' }
  | { kind: 'tooLong'; characters: number }
export type JsonataAnswer =
  /** `json`: undefined where the expression matches nothing. */
  { kind: 'result'; json: string | undefined } | JsonataProblem

export const mostSeconds = 10
/** Characters of a result. */
export const mostResult = 20_000_000
