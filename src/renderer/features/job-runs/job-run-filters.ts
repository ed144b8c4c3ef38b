import { jobRunStatuses } from '../../../contract/jobs.ts'
import { triggerTypes } from '../../../contract/runs.ts'
import { wholeNumber } from '../../ui/use-address.ts'
import { instant } from '../runs/run-filters.ts'

/** `success` asks for those that completed without any blemish. */
export const statusChoices = [...jobRunStatuses, 'success'] as const

/** Filters of the list of job runs as the address carries them. */
export interface JobRunFilters {
  job_id?: number
  status?: (typeof statusChoices)[number]
  trigger_type?: (typeof triggerTypes)[number]
  trigger_id?: number
  backfill_id?: string
  /** ISO 8601, UTC. */
  from?: string
  to?: string
  /** Hours back from now, kept relative in the address so that a bookmark stays true. */
  last?: number
}

/** What of an address makes sense; the rest is left out rather than refused. */
export function filtersOf(search: URLSearchParams): JobRunFilters {
  const status = statusChoices.find((one) => one === search.get('status'))
  const trigger = triggerTypes.find((one) => one === search.get('trigger_type'))
  const job = wholeNumber(search.get('job_id'))
  const triggerId = wholeNumber(search.get('trigger_id'))
  const backfill = search.get('backfill_id')
  const last = wholeNumber(search.get('last'))
  const from = instant(search.get('from'))
  const to = instant(search.get('to'))
  return {
    ...(job ? { job_id: job } : {}),
    ...(status ? { status } : {}),
    ...(trigger ? { trigger_type: trigger } : {}),
    ...(triggerId ? { trigger_id: triggerId } : {}),
    ...(backfill && backfill.length <= 40 ? { backfill_id: backfill } : {}),
    ...(last ? { last } : {}),
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
  }
}

export type JobRunFilterChange = { [K in keyof JobRunFilters]?: JobRunFilters[K] | null }

/** The change that takes every filter out. */
export const noFilters: Record<keyof JobRunFilters, null> = {
  job_id: null,
  status: null,
  trigger_type: null,
  trigger_id: null,
  backfill_id: null,
  from: null,
  to: null,
  last: null,
}
