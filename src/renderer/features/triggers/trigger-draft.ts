/** What the form of a trigger holds, and what it sends: by the clock or on an event. Pure. */
import { type EventTrigger, eventTriggerTypes } from '../../../contract/event-triggers.ts'
import { type Trigger, type misfirePolicies, type overlapPolicies, triggerKinds } from '../../../contract/triggers.ts'
import { ownZone } from '../../ui/time.ts'
import { type Fields, fieldsOf } from '../tasks/argument-fields.ts'
import { momentOf, wallText } from './wall-time.ts'

export type AnyTrigger = Trigger | EventTrigger
export type TimedKind = (typeof triggerKinds)[number]
export type EventKind = (typeof eventTriggerTypes)[number]
export type TriggerKind = TimedKind | EventKind
export const jobEnds = ['completed', 'failed', 'cancelled'] as const
export type JobEnd = (typeof jobEnds)[number]

export const isEventTrigger = (trigger: AnyTrigger): trigger is EventTrigger => 'config' in trigger
export const isTimed = (kind: TriggerKind): kind is TimedKind => triggerKinds.some((one) => one === kind)

/** A trigger by the clock stays one, and one on an event keeps its event. */
export function kindsFor(trigger: AnyTrigger | null): readonly TriggerKind[] {
  if (trigger === null) return [...triggerKinds, ...eventTriggerTypes]
  return isEventTrigger(trigger) ? [trigger.type] : triggerKinds
}

export interface TriggerDraft {
  kind: TriggerKind
  jobId: number | null
  taskKey: string
  enabled: boolean

  cron: string
  /** As clocks of the zone show it. */
  at: string
  /** The moment as it was stored: saved as it is unless another is entered. */
  storedAt: string
  timezone: string
  misfire: (typeof misfirePolicies)[number]
  overlap: (typeof overlapPolicies)[number] | 'template'
  jitter: number | string
  /** A one-off that is off because it has fired. */
  hasFired: boolean
  fields: Fields

  name: string
  connectorId: string | null
  glob: string
  poll: number | string
  settle: number | string
  afterJobId: number | null
  on: JobEnd[]
  /** JSON: values are made of the event. */
  args: string
}

/** JSON-encoded arguments as they were stored. */
function storedArguments(text: string | null): Record<string, unknown> {
  // Written by the server from an object.
  return text === null ? {} : (JSON.parse(text) as Record<string, unknown>)
}

const blank = (jobId: number | null, kind: TriggerKind): TriggerDraft => ({
  kind,
  jobId,
  taskKey: '',
  enabled: true,
  cron: '0 7 * * 1-5',
  at: '',
  storedAt: '',
  timezone: ownZone(),
  misfire: 'fire_once',
  overlap: 'template',
  jitter: 0,
  hasFired: false,
  fields: {},
  name: '',
  connectorId: null,
  glob: '',
  poll: 60,
  settle: 10,
  afterJobId: null,
  on: ['completed'],
  args: '',
})

const numberOf = (value: unknown, fallback: number) => (typeof value === 'number' ? value : fallback)

function ofEvent({ type, name, config, arguments: args }: EventTrigger): Partial<TriggerDraft> {
  const { on } = config
  const values = storedArguments(args)
  return {
    kind: type,
    name,
    connectorId: typeof config['connector_id'] === 'number' ? String(config['connector_id']) : null,
    glob: typeof config['glob'] === 'string' ? config['glob'] : '',
    poll: numberOf(config['poll_seconds'], 60),
    settle: numberOf(config['settle_seconds'], 10),
    afterJobId: typeof config['job_id'] === 'number' ? config['job_id'] : null,
    on: Array.isArray(on) ? jobEnds.filter((end) => on.includes(end)) : ['completed'],
    args: Object.keys(values).length > 0 ? JSON.stringify(values, null, 2) : '',
  }
}

function ofTime(trigger: Trigger): Partial<TriggerDraft> {
  const { type, cron_expression, timezone } = trigger
  const expression = cron_expression ?? ''
  return {
    kind: type,
    ...(type === 'cron'
      ? { cron: expression }
      : { at: expression && wallText(expression, timezone), storedAt: expression }),
    timezone,
    misfire: trigger.misfire_policy,
    overlap: trigger.on_overlap ?? 'template',
    jitter: trigger.jitter_seconds,
    hasFired: type === 'one_off' && trigger.enabled === 0 && trigger.last_triggered_at !== null,
    fields: fieldsOf(storedArguments(trigger.arguments)),
  }
}

export function draftOf(trigger: AnyTrigger | null, jobId: number | null, kind: TriggerKind = 'cron'): TriggerDraft {
  if (!trigger) return blank(jobId, kind)
  return {
    ...blank(trigger.job_id, trigger.type),
    taskKey: trigger.task_key ?? '',
    enabled: trigger.enabled === 1,
    ...(isEventTrigger(trigger) ? ofEvent(trigger) : ofTime(trigger)),
  }
}

/** The five fields or the moment, as the interface takes them; empty where nothing that could be one was entered. */
export function expressionOf({ kind, cron, at, storedAt, timezone }: TriggerDraft): string {
  if (kind === 'cron') return cron.trim()
  return storedAt && at === wallText(storedAt, timezone) ? storedAt : (momentOf(at, timezone) ?? '')
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

const common = (draft: TriggerDraft) => ({ task_key: draft.taskKey || null, enabled: draft.enabled })

/** The settings as the interface takes them, for creation and change alike. */
export const timedBody = (draft: TriggerDraft, type: TimedKind, values: Record<string, unknown>) => ({
  ...common(draft),
  type,
  cron_expression: expressionOf(draft),
  timezone: draft.timezone,
  misfire_policy: draft.misfire,
  on_overlap: draft.overlap === 'template' ? null : draft.overlap,
  jitter_seconds: Number(draft.jitter) || 0,
  arguments: values,
})

function configOf(draft: TriggerDraft) {
  if (draft.kind === 'after_job') return { job_id: draft.afterJobId ?? 0, on: draft.on }
  if (draft.kind !== 'file_arrival') return {}
  return {
    connector_id: Number(draft.connectorId ?? 0),
    glob: draft.glob.trim(),
    poll_seconds: Number(draft.poll) || 60,
    settle_seconds: Number(draft.settle) || 0,
  }
}

export const eventBody = (draft: TriggerDraft) => ({
  ...common(draft),
  name: draft.name.trim(),
  config: configOf(draft),
  arguments: argumentsOf(draft.args) ?? {},
})

/** What creates a deleted trigger again. */
export function timedAgain(trigger: Trigger) {
  const { job_id, task_key, type, cron_expression, timezone, misfire_policy, jitter_seconds, on_overlap } = trigger
  return {
    job_id,
    type,
    cron_expression: cron_expression ?? '',
    timezone,
    misfire_policy,
    jitter_seconds,
    on_overlap,
    enabled: trigger.enabled === 1,
    arguments: storedArguments(trigger.arguments),
    ...(task_key !== null && { task_key }),
  }
}
/** As above; null for a webhook: its address is gone, and a new one would be another. */
export function eventAgain(trigger: EventTrigger) {
  const { job_id, task_key, type, name, config } = trigger
  if (type === 'webhook') return null
  const values = storedArguments(trigger.arguments)
  return { job_id, task_key, type, name, config, enabled: trigger.enabled === 1, arguments: values }
}

/** Fields that still have to be filled in. */
export function missing(draft: TriggerDraft): (keyof TriggerDraft)[] {
  const { kind } = draft
  const needed: Partial<Record<keyof TriggerDraft, boolean>> = {
    jobId: draft.jobId === null,
    cron: kind === 'cron' && draft.cron.trim() === '',
    at: kind === 'one_off' && expressionOf(draft) === '',
    name: !isTimed(kind) && draft.name.trim() === '',
    connectorId: kind === 'file_arrival' && draft.connectorId === null,
    glob: kind === 'file_arrival' && draft.glob.trim() === '',
    afterJobId: kind === 'after_job' && draft.afterJobId === null,
    on: kind === 'after_job' && draft.on.length === 0,
    args: !isTimed(kind) && argumentsOf(draft.args) === undefined,
  }
  // The keys are those of the literal above.
  return (Object.keys(needed) as (keyof TriggerDraft)[]).filter((field) => needed[field])
}
