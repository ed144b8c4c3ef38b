import { driftLine, gateLine, rejectsLine, titleOf } from './desktop-text.rules.ts'
import type { NotificationContent } from './notifications.rules.ts'

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
    ['Rejected rows', content.rejects?.map((one) => rejectsLine(one)).join('\n') || null],
    ['Columns', content.schema_drift?.map((one) => driftLine(one)).join('\n') || null],
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
