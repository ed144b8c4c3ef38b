/** What a notification says in its title and, on the desktop, below it. Desktops say it in their own language, so it is made in each. */
import { shortened } from '../../../language/shortened.ts'
import type { NotificationContent, TaskRejects, WaitingGate } from './notifications.rules.ts'

type Drift = NonNullable<NotificationContent['schema_drift']>[number]
type Status = NonNullable<NotificationContent['job_run']>['status']

const en = {
  test: 'Test message of Headgate',
  testBody: 'Notifications about job runs look like this.',
  titles: {
    failed: (name: string) => `${name} failed`,
    recovered: (name: string) => `${name} has recovered`,
    late: (name: string) => `${name} is late`,
    finished: (name: string, status: Status) => `${name} has finished: ${status}`,
    completed_with_rejects: (name: string) => `${name} completed with rejects`,
    schema_drift: (name: string) => `Schema drift in ${name}`,
    waiting_for_approval: (name: string) => `${name} is waiting for approval`,
    metric_violated: (name: string) => `${name} needs attention`,
    metric_recovered: (name: string) => `${name} has recovered`,
  },
  rows: (count: number) => `${count} ${count === 1 ? 'row' : 'rows'}`,
  rejected: (tasks: string) => `Rejected: ${tasks}`,
  failed: (tasks: string) => `Failed: ${tasks}. `,
  run: (id: number, date: string) => `Job run ${id} for ${date}`,
  missing: 'missing',
  outcome: (outcome: Drift['outcome']): string => outcome,
}

const statuses: Record<Status, string> = {
  pending: 'wartend',
  running: 'läuft',
  paused: 'pausiert',
  completed: 'abgeschlossen',
  failed: 'fehlgeschlagen',
  cancelled: 'abgebrochen',
}
const outcomes: Record<Drift['outcome'], string> = {
  added: 'kommt dazu',
  widened: 'wird erweitert',
  recreated: 'wird neu angelegt',
  refused: 'lässt den Lauf fehlschlagen',
  left_out: 'bleibt weg',
  not_written: 'wird nicht geschrieben',
}

const de: typeof en = {
  test: 'Testnachricht von Headgate',
  testBody: 'So sehen Benachrichtigungen über Job-Läufe aus.',
  titles: {
    failed: (name) => `${name} ist fehlgeschlagen`,
    recovered: (name) => `${name} läuft wieder`,
    late: (name) => `${name} ist verspätet`,
    finished: (name, status) => `${name} ist beendet: ${statuses[status]}`,
    completed_with_rejects: (name) => `${name} wurde mit Abweisungen abgeschlossen`,
    schema_drift: (name) => `Schema-Abweichung in ${name}`,
    waiting_for_approval: (name) => `${name} wartet auf Freigabe`,
    metric_violated: (name) => `${name} ist außerhalb der Grenzen`,
    metric_recovered: (name) => `${name} ist wieder innerhalb der Grenzen`,
  },
  rows: (count) => `${count} ${count === 1 ? 'Zeile' : 'Zeilen'}`,
  rejected: (tasks) => `Abgewiesen: ${tasks}`,
  failed: (tasks) => `Fehlgeschlagen: ${tasks}. `,
  run: (id, date) => `Job-Lauf ${id} für ${date}`,
  missing: 'fehlt',
  outcome: (outcome) => outcomes[outcome],
}

/** The one line of a notification: subject of an e-mail, title on the desktop. */
export function titleOf({ event, job, job_run, metric }: NotificationContent, words = en): string {
  const name = metric?.name ?? (job && shortened(job.name.replaceAll(/\p{C}+/gu, ' '), 120))
  if (name === null || event === 'test') return words.test
  return words.titles[event](name, job_run?.status ?? 'completed')
}

/** The body on the desktop: short, the page says the rest. */
export function bodyOf(content: NotificationContent, words = en): string {
  const { failed_task_keys: keys, error_message: message, job_run: run, schema_drift, rejects, gate, metric } = content
  if (metric) return shortened(metric.violation, 300)
  if (!run) return words.testBody
  if (gate) return shortened(gateLine(gate), 300)
  if (rejects) return shortened(words.rejected(rejects.map((one) => rejectsLine(one, words)).join(', ')), 300)
  if (schema_drift) return shortened(schema_drift.map((one) => driftLine(one, words)).join('; '), 300)
  const failed = keys.length > 0 ? words.failed(shortened(keys.join(', '), 100)) : ''
  return shortened(`${failed}${message ?? words.run(run.id, run.logical_date)}`, 300)
}

/** Title and body in English, and in the other languages of the interface by their codes. */
export function desktopTexts(content: NotificationContent) {
  return {
    title: titleOf(content),
    body: bodyOf(content),
    translations: { de: { title: titleOf(content, de), body: bodyOf(content, de) } },
  }
}

/** `load: amount integer → text (recreated)` */
export function driftLine({ task_key, column, there, coming, outcome }: Drift, words = en): string {
  const types = `${there ?? words.missing} → ${coming ?? words.missing}`
  return `${task_key}: ${column} ${types} (${words.outcome(outcome)})`
}

/** `publish: Publish 12 rows?` */
export const gateLine = ({ task_key, message }: WaitingGate): string => `${task_key}: ${message}`

/** `load: 12 rows` */
export const rejectsLine = ({ task_key, rejected }: TaskRejects, words = en): string =>
  `${task_key}: ${words.rows(rejected)}`
