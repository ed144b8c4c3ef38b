/** When runs ended, as the address of their list has it: as metrics count them. Pure. */
import type { AddressChange } from '../../ui/use-address.ts'
import { idsOf } from '../../ui/work-list/list-address.rules.ts'
import { type TimeSpan, instant, spanQuery } from '../../ui/work-list/span.rules.ts'

type ValuesOf = (filter: string) => string[]

export function endedSpan(values: ValuesOf): TimeSpan {
  const from = instant(values('completed_from')[0] ?? null)
  const to = instant(values('completed_to')[0] ?? null)
  return { ...(from ? { from } : {}), ...(to ? { to } : {}) }
}

/** Runs of a job or an executor are found by their end only. */
export function endQuery({ from, to }: TimeSpan, values: ValuesOf) {
  if (from === undefined && to === undefined) return {}
  const [job_id] = idsOf(values('job_id')) ?? []
  const [executor_id] = idsOf(values('executor_id')) ?? []
  return {
    ...(from === undefined ? {} : { completed_from: from }),
    ...(to === undefined ? {} : { completed_to: to }),
    ...(job_id === undefined ? {} : { job_id }),
    ...(executor_id === undefined ? {} : { executor_id }),
  }
}

export function endChange(next: TimeSpan, now: number): AddressChange {
  const { from = null, to = null } = spanQuery(next, now)
  const gone = from === null && to === null ? { job_id: null, executor_id: null } : {}
  return { completed_from: from, completed_to: to, ...gone }
}
