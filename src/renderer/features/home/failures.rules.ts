/** What needs somebody's eye first. Pure. */
import type { Failure } from '../../../contract/failures.ts'

/** How its newest run stands says that it runs well again. */
export const isRecovered = ({ status }: Pick<Failure, 'status'>): boolean =>
  status === 'success' || status === 'completed'

/** What is still broken goes before what has run well since. */
export const brokenFirst = <Row extends Pick<Failure, 'status'>>(rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => Number(isRecovered(a)) - Number(isRecovered(b)))
