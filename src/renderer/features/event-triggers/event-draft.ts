/** What the form of an event trigger holds, and what it sends. Pure. */
import type { EventTrigger, eventTriggerTypes } from '../../../contract/event-triggers.ts'

export type EventKind = (typeof eventTriggerTypes)[number]
export const jobEnds = ['completed', 'failed', 'cancelled'] as const
export type JobEnd = (typeof jobEnds)[number]

export interface EventDraft {
  jobId: number | null
  name: string
  type: EventKind
  taskKey: string
  connectorId: string | null
  glob: string
  poll: number | string
  settle: number | string
  afterJobId: number | null
  on: JobEnd[]
  args: string
  enabled: boolean
}

const numberOf = (value: unknown, fallback: number) => (typeof value === 'number' ? value : fallback)

export function draftOf(trigger: EventTrigger | null, jobId: number | null): EventDraft {
  const config = trigger?.config ?? {}
  const on = config['on']
  return {
    jobId: trigger?.job_id ?? jobId,
    name: trigger?.name ?? '',
    type: trigger?.type ?? 'webhook',
    taskKey: trigger?.task_key ?? '',
    connectorId: typeof config['connector_id'] === 'number' ? String(config['connector_id']) : null,
    glob: typeof config['glob'] === 'string' ? config['glob'] : '',
    poll: numberOf(config['poll_seconds'], 60),
    settle: numberOf(config['settle_seconds'], 10),
    afterJobId: typeof config['job_id'] === 'number' ? config['job_id'] : null,
    on: Array.isArray(on) ? jobEnds.filter((end) => on.includes(end)) : ['completed'],
    args:
      trigger?.arguments && trigger.arguments !== '{}' ? JSON.stringify(JSON.parse(trigger.arguments), null, 2) : '',
    enabled: trigger ? trigger.enabled === 1 : true,
  }
}

/** The JSON object of the arguments field; undefined when it is none. */
export function argumentsOf(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    // Any object will do; the server checks it against the job's parameters.
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

function configOf(draft: EventDraft) {
  if (draft.type === 'webhook') return {}
  if (draft.type === 'after_job') return { job_id: draft.afterJobId ?? 0, on: draft.on }
  return {
    connector_id: Number(draft.connectorId ?? 0),
    glob: draft.glob.trim(),
    poll_seconds: Number(draft.poll) || 60,
    settle_seconds: Number(draft.settle) || 0,
  }
}

export const bodyOf = (draft: EventDraft, args: Record<string, unknown>) => ({
  name: draft.name.trim(),
  config: configOf(draft),
  task_key: draft.taskKey || null,
  arguments: args,
  enabled: draft.enabled,
})

/** Fields that still have to be filled in. */
export function missing(draft: EventDraft): (keyof EventDraft)[] {
  const gaps: (keyof EventDraft)[] = []
  if (draft.jobId === null) gaps.push('jobId')
  if (draft.name.trim() === '') gaps.push('name')
  if (draft.type === 'file_arrival' && draft.connectorId === null) gaps.push('connectorId')
  if (draft.type === 'file_arrival' && draft.glob.trim() === '') gaps.push('glob')
  if (draft.type === 'after_job' && draft.afterJobId === null) gaps.push('afterJobId')
  if (draft.type === 'after_job' && draft.on.length === 0) gaps.push('on')
  if (argumentsOf(draft.args) === undefined) gaps.push('args')
  return gaps
}
