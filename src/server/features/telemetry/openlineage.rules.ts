/** Events of OpenLineage, by its specification 2-0-2. Pure. */
import { createHash } from 'node:crypto'
import type { RunDataset, RunLineage } from '../lineage/lineage.service.ts'
import type { RunStepRow } from '../runs/runs.service.ts'
import type { JobRunFacts, RunFacts } from './facts.ts'

export interface OpenLineageContext {
  /** Of jobs: the name of this server. */
  namespace: string
  /** Of this store: ids of runs are numbers that every server gives. */
  store: string
  version: string
}
type Json = Record<string, unknown>

const spec = 'https://openlineage.io/spec'
const schemaURL = `${spec}/2-0-2/OpenLineage.json#/$defs/RunEvent`
const producer = 'urn:headgate'

/** The same run has the same id in every event, and in every repetition of one. */
export function uuidOf(store: string, kind: 'run' | 'job_run', id: number): string {
  const hex = createHash('sha256').update(`${store} ${kind} ${id}`).digest('hex')
  // Version 8: made by rules of our own.
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}

const facet = (name: string, version: string, fields: Json): Json => ({
  _producer: producer,
  _schemaURL: `${spec}/facets/${version}/${name}.json#/$defs/${name}`,
  ...fields,
})

const jobFacets = (jobType: string): Json => ({
  jobType: facet('JobTypeJobFacet', '2-0-4', { processingType: 'BATCH', integration: 'HEADGATE', jobType }),
})

function runFacets(
  { version }: OpenLineageContext,
  run: Pick<RunFacts, 'logical_date' | 'error_message'> & { failed: boolean },
): Json {
  return {
    nominalTime: facet('NominalTimeRunFacet', '1-0-1', { nominalStartTime: run.logical_date }),
    processing_engine: facet('ProcessingEngineRunFacet', '1-1-1', { name: 'Headgate', version }),
    ...(run.failed && {
      errorMessage: facet('ErrorMessageRunFacet', '1-0-1', {
        message: run.error_message ?? 'The run failed',
        programmingLanguage: 'YAML',
      }),
    }),
  }
}

const ends: Readonly<Record<string, string>> = {
  success: 'COMPLETE',
  completed: 'COMPLETE',
  failed: 'FAIL',
  cancelled: 'ABORT',
}

/** START of a job run, or how it ended; one that never began has both then. */
export function jobRunEvents(
  context: OpenLineageContext,
  { kind, run }: { kind: 'job_run_started' | 'job_run_ended'; run: JobRunFacts },
): Json[] {
  const ended = run.completed_at ?? new Date(0).toISOString()
  const job = { namespace: context.namespace, name: run.job_name, facets: jobFacets('JOB') }
  const facets = runFacets(context, { ...run, failed: run.status === 'failed' })
  const event = (eventType: string | undefined, eventTime: string) => ({
    eventType,
    eventTime,
    producer,
    schemaURL,
    run: { runId: uuidOf(context.store, 'job_run', run.id), facets },
    job,
    inputs: [],
    outputs: [],
  })
  if (kind === 'job_run_started') return [event('START', run.started_at ?? ended)]
  const end = event(ends[run.status] ?? 'OTHER', ended)
  return run.started_at === null ? [event('START', ended), end] : [end]
}

/** START, or how the run ended. `jobName`: of the job that it is part of. */
export function runEvent(
  context: OpenLineageContext,
  run: RunFacts,
  type: 'started' | 'ended',
  jobName: string | null,
  { datasets, columns }: RunLineage,
  steps: readonly RunStepRow[],
): Json {
  const ofAttempt = steps.filter(({ attempt }) => attempt === run.attempt)
  const wrote = ofAttempt.findLast(({ key }) => key === 'target')
  const read = ofAttempt.find(({ key }) => key === 'source')
  const inputs = datasets.filter(({ access }) => access === 'read')
  const outputs = datasets.filter(({ access }) => access === 'write')
  const { namespace } = context
  const key = run.task_key ?? run.task_name
  return {
    eventType: type === 'started' ? 'START' : (ends[run.status] ?? 'OTHER'),
    eventTime: (type === 'started' ? run.started_at : run.completed_at) ?? run.updated_at,
    producer,
    schemaURL,
    run: {
      runId: uuidOf(context.store, 'run', run.id),
      facets: {
        ...runFacets(context, { ...run, failed: type === 'ended' && run.status === 'failed' }),
        ...(run.job_run_id !== null &&
          jobName !== null && {
            parent: facet('ParentRunFacet', '1-2-0', {
              run: { runId: uuidOf(context.store, 'job_run', run.job_run_id) },
              job: { namespace, name: jobName },
            }),
          }),
      },
    },
    job: { namespace, name: jobName === null ? key : `${jobName}.${key}`, facets: jobFacets('TASK') },
    inputs: distinct(inputs).map(({ namespace: place, name, part }) => {
      const only = part === 'source' && inputs.filter((one) => one.part === 'source').length === 1 ? read : undefined
      return {
        namespace: place,
        name,
        facets: only ? schemaOf(only) : {},
        inputFacets:
          only && only.rows_out !== null
            ? { inputStatistics: facet('InputStatisticsInputDatasetFacet', '1-0-0', statistics(only)) }
            : {},
      }
    }),
    outputs: distinct(outputs).map(({ namespace: place, name, part }) => {
      const target = part === 'target' ? wrote : undefined
      return {
        namespace: place,
        name,
        facets: target ? { ...schemaOf(target), ...lineageOf(columns, target, inputs) } : {},
        outputFacets:
          target && target.rows_out !== null
            ? { outputStatistics: facet('OutputStatisticsOutputDatasetFacet', '1-0-2', statistics(target)) }
            : {},
      }
    }),
  }
}

function distinct(datasets: readonly RunDataset[]): RunDataset[] {
  return [...new Map(datasets.toReversed().map((one) => [`${one.namespace} ${one.name}`, one])).values()].toReversed()
}

const statistics = ({ rows_out, bytes }: RunStepRow): Json => ({
  rowCount: rows_out,
  ...(bytes !== null && { size: bytes }),
})

// Written by the report of an executor.
const columnsOf = ({ columns }: RunStepRow) => JSON.parse(columns) as { name: string; type: string }[]

function schemaOf(step: RunStepRow): Json {
  const fields = columnsOf(step).map(({ name, type }) => ({ name, type }))
  return fields.length === 0 ? {} : { schema: facet('SchemaDatasetFacet', '1-2-0', { fields }) }
}

/** Columns that the text doesn't name arrive under their own names, if it says so. */
function lineageOf(columns: RunLineage['columns'], target: RunStepRow, inputs: readonly RunDataset[]): Json {
  if (columns === null) return {}
  const known = new Map(columns.columns.map(({ name, origins }) => [name.toLowerCase(), origins]))
  const fields = columnsOf(target).flatMap(({ name }): [string, Json][] => {
    const origins =
      known.get(name.toLowerCase()) ?? (columns.others ? [{ from: 'source', column: name, unchanged: true }] : [])
    const inputFields = origins.flatMap(({ from, column, unchanged }) => {
      const part = from === 'source' ? 'source' : `inputs.${from}`
      return inputs
        .filter((input) => input.part === part)
        .map(({ namespace, name: dataset }) => ({
          namespace,
          name: dataset,
          field: column,
          transformations: [{ type: 'DIRECT', subtype: unchanged ? 'IDENTITY' : 'TRANSFORMATION' }],
        }))
    })
    return inputFields.length === 0 ? [] : [[name, { inputFields }]]
  })
  return fields.length === 0
    ? {}
    : { columnLineage: facet('ColumnLineageDatasetFacet', '1-2-0', { fields: Object.fromEntries(fields) }) }
}
