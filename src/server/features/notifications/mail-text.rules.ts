import type { NotificationContent, TaskRejects, WaitingGate } from './notifications.rules.ts'
import { shortened } from '../../../language/shortened.ts'

/** The one line of a notification: subject of an e-mail, title on the desktop. */
export function titleOf({ event, job, job_run, metric }: NotificationContent): string {
  if (metric) return `${metric.name} ${event === 'metric_violated' ? 'needs attention' : 'has recovered'}`
  if (!job || !job_run) return 'Test message of Headgate'
  const name = shortened(job.name.replaceAll(/\p{C}+/gu, ' '), 120)
  const titles = {
    failed: `${name} failed`,
    recovered: `${name} has recovered`,
    late: `${name} is late`,
    finished: `${name} has finished: ${job_run.status}`,
    completed_with_rejects: `${name} completed with rejects`,
    schema_drift: `Schema drift in ${name}`,
    waiting_for_approval: `${name} is waiting for approval`,
  }
  return Object.hasOwn(titles, event) ? titles[event as keyof typeof titles] : 'Test message of Headgate' // just looked up
}

/** What there is to say beyond the title, by heading. */
export function linesOf(content: NotificationContent): [heading: string, text: string][] {
  const { job, job_run: run, metric } = content
  if (metric) return metricLines(content.event, metric)
  if (!job || !run) return [['Sent', `${content.occurred_at}, to test this channel`]]
  const lines: [string, string | null][] = [
    ['Job', job.name],
    ['Job run', `${run.id}, ${run.status}`],
    ['For', run.logical_date],
    ['Started', run.started_at],
    ['Ended', run.completed_at],
    ['Gate', content.gate ? gateLine(content.gate) : null],
    ['Failed tasks', content.failed_task_keys.join(', ') || null],
    ['Error', content.error_message],
    ['Rejected rows', content.rejects?.map(rejectsLine).join('\n') || null],
    ['Columns', content.schema_drift?.map(driftLine).join('\n') || null],
    ['Page', run.path],
  ]
  return lines.filter((line): line is [string, string] => line[1] !== null)
}

function metricLines(
  event: NotificationContent['event'],
  { name, description, unit, value, violation, since, path }: NonNullable<NotificationContent['metric']>,
): [heading: string, text: string][] {
  const lines: [string, string | null][] = [
    ['Metric', name],
    ['Description', description],
    [event === 'metric_violated' ? 'Violation' : 'Was', violation],
    ['Value', value === null ? null : `${value} ${unit}`.trim()],
    ['Since', since],
    ['Page', path],
  ]
  return lines.filter((line): line is [string, string] => line[1] !== null)
}

/** `load: amount integer → text (recreated)` */
function driftLine({
  task_key,
  column,
  there,
  coming,
  outcome,
}: NonNullable<NotificationContent['schema_drift']>[number]): string {
  return `${task_key}: ${column} ${there ?? 'missing'} → ${coming ?? 'missing'} (${outcome})`
}

/** `publish: Publish 12 rows?` */
const gateLine = ({ task_key, message }: WaitingGate): string => `${task_key}: ${message}`

/** `load: 12 rows` */
function rejectsLine({ task_key, rejected }: TaskRejects): string {
  return `${task_key}: ${rejected} ${rejected === 1 ? 'row' : 'rows'}`
}

/** The body on the desktop: short, the page says the rest. */
export function bodyOf({
  failed_task_keys: keys,
  error_message: message,
  job_run: run,
  schema_drift,
  rejects,
  gate,
  metric,
}: NotificationContent): string {
  if (metric) return shortened(metric.violation, 300)
  if (!run) return 'Notifications about job runs look like this.'
  if (gate) return shortened(gateLine(gate), 300)
  if (rejects) return shortened(`Rejected: ${rejects.map(rejectsLine).join(', ')}`, 300)
  if (schema_drift) return shortened(schema_drift.map(driftLine).join('; '), 300)
  const failed = keys.length > 0 ? `Failed: ${shortened(keys.join(', '), 100)}. ` : ''
  return shortened(`${failed}${message ?? `Job run ${run.id} for ${run.logical_date}`}`, 300)
}

export const plainText = (content: NotificationContent): string =>
  `${titleOf(content)}\n\n${linesOf(content)
    .map(([heading, text]) => `${heading}: ${text}`)
    .join('\n')}\n`

export function html(content: NotificationContent): string {
  const rows = linesOf(content).map(
    ([heading, text]) =>
      `<tr><th align="left" valign="top">${escaped(heading)}</th><td style="white-space: pre-wrap">${escaped(text)}</td></tr>`,
  )
  return `<!doctype html><html><body style="font-family: sans-serif"><h2>${escaped(titleOf(content))}</h2><table cellpadding="4">${rows.join('')}</table></body></html>`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)
