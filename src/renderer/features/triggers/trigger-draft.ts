/** What the form of a trigger holds, and what it sends. Pure. */
import type { Trigger, misfirePolicies, overlapPolicies, triggerKinds } from '../../../contract/triggers.ts'
import { type Fields, fieldsOf } from '../tasks/argument-fields.ts'

export type TriggerKind = (typeof triggerKinds)[number]
export type MisfirePolicy = (typeof misfirePolicies)[number]
export type OverlapChoice = (typeof overlapPolicies)[number] | 'template'

export interface TriggerDraft {
  jobId: number | null
  type: TriggerKind
  cron: string
  at: string
  timezone: string
  taskKey: string
  misfire: MisfirePolicy
  overlap: OverlapChoice
  jitter: number | string
  enabled: boolean
  /** A one-off that is off because it has fired. */
  hasFired: boolean
  fields: Fields
}

const ownZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** JSON-encoded arguments as they were stored. */
function argumentsOf(text: string | null): Record<string, unknown> {
  // Written by the server from an object.
  return text === null ? {} : (JSON.parse(text) as Record<string, unknown>)
}

export function draftOf(trigger: Trigger | null, jobId: number | null): TriggerDraft {
  const blank: TriggerDraft = {
    jobId,
    type: 'cron',
    cron: '0 6 * * *',
    at: '',
    timezone: ownZone(),
    taskKey: '',
    misfire: 'fire_once',
    overlap: 'template',
    jitter: 0,
    enabled: true,
    hasFired: false,
    fields: {},
  }
  if (!trigger) return blank
  const expression = trigger.cron_expression ?? ''
  return {
    jobId: trigger.job_id,
    type: trigger.type,
    cron: trigger.type === 'cron' ? expression : blank.cron,
    at: trigger.type === 'one_off' ? expression : '',
    timezone: trigger.timezone,
    taskKey: trigger.task_key ?? '',
    misfire: trigger.misfire_policy,
    overlap: trigger.on_overlap ?? 'template',
    jitter: trigger.jitter_seconds,
    enabled: trigger.enabled === 1,
    hasFired: trigger.type === 'one_off' && trigger.enabled === 0 && trigger.last_triggered_at !== null,
    fields: fieldsOf(argumentsOf(trigger.arguments)),
  }
}

export const expressionOf = (draft: TriggerDraft) => (draft.type === 'cron' ? draft.cron : draft.at).trim()

/** The settings as the interface takes them, for creation and change alike. */
export function bodyOf(draft: TriggerDraft, values: Record<string, unknown>) {
  return {
    type: draft.type,
    cron_expression: expressionOf(draft),
    timezone: draft.timezone,
    task_key: draft.taskKey || null,
    misfire_policy: draft.misfire,
    on_overlap: draft.overlap === 'template' ? null : draft.overlap,
    jitter_seconds: Number(draft.jitter) || 0,
    enabled: draft.enabled,
    arguments: values,
  }
}

export const presets = {
  hourly: '0 * * * *',
  daily: '0 6 * * *',
  workdays: '0 6 * * 1-5',
  weekly: '0 6 * * 1',
  monthly: '0 6 1 * *',
} as const
