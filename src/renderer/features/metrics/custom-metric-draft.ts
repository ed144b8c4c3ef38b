/** What the form of a custom metric holds, and what it saves. Pure. */
import type { CustomMetric, customMetricKinds, metricAggregates } from '../../../contract/custom-metrics.ts'

export type MetricKind = (typeof customMetricKinds)[number]
export type Aggregate = (typeof metricAggregates)[number]
export const freshnessKinds = ['dataset', 'task', 'job'] as const
export type FreshnessKind = (typeof freshnessKinds)[number]
/** What a time is entered in, in minutes. */
export const timeUnits = { minutes: 1, hours: 60, days: 1440 } as const
export type TimeUnit = keyof typeof timeUnits

export interface MetricDraft {
  name: string
  description: string
  kind: MetricKind
  task: number | null
  job: number | null
  dataset: string | null
  connector: string | null
  of: FreshnessKind
  field: string
  query: string
  every: number | string
  everyUnit: TimeUnit
  deadline: number | string
  deadlineUnit: TimeUnit
  unit: string
  aggregate: Aggregate | null
  above: number | string
  below: number | string
}

const blank: MetricDraft = {
  name: '',
  description: '',
  kind: 'output',
  task: null,
  job: null,
  dataset: null,
  connector: null,
  of: 'dataset',
  field: '',
  query: '',
  every: 15,
  everyUnit: 'minutes',
  deadline: 24,
  deadlineUnit: 'hours',
  unit: '',
  aggregate: null,
  above: '',
  below: '',
}

/** The largest unit that leaves a whole number. */
export function timeOf(minutes: number): { value: number; unit: TimeUnit } {
  const unit = minutes % timeUnits.days === 0 ? 'days' : minutes % timeUnits.hours === 0 ? 'hours' : 'minutes'
  return { value: minutes / timeUnits[unit], unit }
}

export function draftOf(metric: CustomMetric | null, start: Partial<MetricDraft> = {}): MetricDraft {
  if (!metric) return { ...blank, ...start }
  const { source, threshold } = metric
  const common: MetricDraft = {
    ...blank,
    name: metric.name,
    description: metric.description ?? '',
    kind: source.kind,
    unit: metric.unit ?? '',
    aggregate: metric.aggregate ?? null,
    above: threshold?.above ?? '',
    below: threshold?.below ?? '',
  }
  if (source.kind === 'query') {
    const { value, unit } = timeOf(source.every_minutes)
    return { ...common, connector: String(source.connector_id), query: source.query, every: value, everyUnit: unit }
  }
  if (source.kind !== 'freshness') return { ...common, task: source.task_id, field: source.field }
  const { freshness_of: of, deadline_minutes } = source
  const { value, unit } = timeOf(deadline_minutes)
  const late = { ...common, deadline: value, deadlineUnit: unit }
  if ('dataset' in of) return { ...late, of: 'dataset', dataset: of.dataset }
  return 'task_id' in of ? { ...late, of: 'task', task: of.task_id } : { ...late, of: 'job', job: of.job_id }
}

const filled = (value: number | string): value is number => typeof value === 'number'
const number = (value: number | string): number | null => (filled(value) ? value : null)

function sourceOf(draft: MetricDraft): CustomMetric['source'] {
  const { kind, task, job, dataset, connector, of, field, query, every, everyUnit, deadline, deadlineUnit } = draft
  if (kind === 'query') {
    const every_minutes = Number(every) * timeUnits[everyUnit]
    return { kind, connector_id: Number(connector), query, every_minutes }
  }
  if (kind !== 'freshness') return { kind, task_id: task ?? 0, field: field.trim() }
  const deadline_minutes = Number(deadline) * timeUnits[deadlineUnit]
  const freshness_of =
    of === 'dataset' ? { dataset: dataset ?? '' } : of === 'task' ? { task_id: task ?? 0 } : { job_id: job ?? 0 }
  return { kind, freshness_of, deadline_minutes }
}

export function metricOf(draft: MetricDraft): CustomMetric {
  const [above, below] = [number(draft.above), number(draft.below)]
  const isFreshness = draft.kind === 'freshness'
  const limited = !isFreshness && (above !== null || below !== null)
  return {
    name: draft.name.trim(),
    ...(draft.description.trim() === '' ? {} : { description: draft.description.trim() }),
    source: sourceOf(draft),
    ...(isFreshness || draft.unit.trim() === '' ? {} : { unit: draft.unit.trim() }),
    ...(draft.aggregate === null ? {} : { aggregate: draft.aggregate }),
    ...(limited ? { threshold: { ...(above === null ? {} : { above }), ...(below === null ? {} : { below }) } } : {}),
  }
}

/** Fields that still have to be filled in. */
export function missing(draft: MetricDraft): (keyof MetricDraft)[] {
  const wanted: Record<MetricKind, (keyof MetricDraft)[]> = {
    summary: ['task', 'field'],
    output: ['task', 'field'],
    query: ['connector', 'query', 'every'],
    freshness: [draft.of, 'deadline'],
  }
  const all: (keyof MetricDraft)[] = ['name', ...wanted[draft.kind]]
  return all.filter((field) => String(draft[field] ?? '').trim() === '')
}

export const nameFits = (name: string) => /^[a-z][a-z0-9_]{0,62}$/.test(name.trim())

/** The field of the form that a refusal is about, by its path in the body. */
export function fieldOfPath(path: string): keyof MetricDraft | null {
  const part = path.replace(/^body\.(custom\[\d+\]\.)?/, '')
  const fields: Record<string, keyof MetricDraft> = {
    name: 'name',
    'source.task_id': 'task',
    'source.field': 'field',
    'source.connector_id': 'connector',
    'source.query': 'query',
    'source.every_minutes': 'every',
    'source.deadline_minutes': 'deadline',
    'source.freshness_of.dataset': 'dataset',
    'source.freshness_of.task_id': 'task',
    'source.freshness_of.job_id': 'job',
    'threshold.above': 'above',
    'threshold.below': 'below',
    unit: 'unit',
    connector_id: 'connector',
    query: 'query',
  }
  return fields[part] ?? null
}
