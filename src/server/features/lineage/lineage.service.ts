import { setImmediate } from 'node:timers/promises'
import type { Lineage, LineageDataset, getLineage } from '../../../contract/lineage.ts'
import type { QueryOf } from '../../../contract/operation.ts'
import type { DatasetUse } from '../../../language/lineage/dataset-uses.ts'
import { runDatasetUses } from '../../../language/lineage/run-dataset-uses.ts'
import type { DatasetConnector } from '../../../language/lineage/dataset-names.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal, notFound } from '../../platform/refusal.ts'
import type { JobsService } from '../jobs/jobs.service.ts'
import type { RunRow, RunsService } from '../runs/runs.service.ts'
import type { ReadingsService } from '../readings/readings.service.ts'
import { createLineageTexts } from './lineage-texts.ts'
import {
  type LineageConnectors,
  type LineageContext,
  type LineageWrite,
  around,
  buildLineage,
} from './lineage.rules.ts'
import { type LineageRun, type RunLineage, hasWritten, runLineage } from './run-lineage.rules.ts'
import {
  type LineageConnectorRow,
  type LineageJobRow,
  type LineageRunRow,
  type LineageTaskRow,
  createLineageStore,
  textKeyOf,
} from './lineage.store.ts'

export { hasWritten }
export type { RunDataset, RunLineage } from './run-lineage.rules.ts'

/** A rule about how old a dataset may become. */
export interface DatasetFreshness {
  dataset: string
  metric: string
  state: 'ok' | 'violated'
  deadline_at: string
}
interface Dependencies {
  jobs: Pick<JobsService, 'heldSnapshot'>
  runs: Pick<RunsService, 'attempts'>
  readings: ReadingsService
  /** Rules, the earliest deadline first. */
  freshness(): readonly DatasetFreshness[]
}
/** A task of a job, without what else its template says. */
interface HeldNode {
  task_key: string
  task_id: number
  task_name: string
  task_version: number
  /** Slot → name in the template. */
  slots: Readonly<Record<string, string>>
}
interface NodeInJob {
  job: LineageJobRow
  node: HeldNode
  override: string | null
}
type Mapping = Record<string, number>
/** What its expressions may know of it. */
type RunOfText = Pick<
  RunRow,
  'id' | 'attempt' | 'logical_date' | 'trigger_type' | 'task_name' | 'job_run_id' | 'item_count'
>

/** What was changed is read ahead this much later, together with what else was changed by then. */
const aheadAfterMs = 500
/** Templates are read for this long before others have their turn. */
const sliceMs = 12

export function createLineageService(platform: Platform, { jobs, runs, readings, freshness }: Dependencies) {
  const { store, events, logger, draining } = platform
  const lineage = createLineageStore(store)
  const texts = createLineageTexts(platform, lineage, readings)
  /** By snapshot: these never change. */
  const nodes = new Map<number, readonly HeldNode[]>()
  runs.attempts.follow({ started() {}, ended: lineage.noteEnd })

  function nodesOf(snapshotId: number): readonly HeldNode[] {
    const known = nodes.get(snapshotId)
    if (known) return known
    const found = readNodes(snapshotId)
    nodes.set(snapshotId, found)
    return found
  }
  /** None where this server's language does not accept the template any more. */
  function readNodes(snapshotId: number): HeldNode[] {
    try {
      const { document, tasks } = jobs.heldSnapshot(snapshotId)
      return Object.values(document.tasks).flatMap((node) => {
        const pinned = node.kind === 'task' ? tasks[node.key] : undefined
        if (node.kind !== 'task' || !pinned) return []
        const { task_id, task_name, version: task_version } = pinned
        return [{ task_key: node.key, task_id, task_name, task_version, slots: node.connectors }]
      })
    } catch (error) {
      if (error instanceof Refusal) return []
      throw error
    }
  }

  /** Of all active jobs; snapshots that were replaced are forgotten. */
  async function nodesOfJobs(): Promise<NodeInJob[]> {
    const active = lineage.jobs()
    const overrides = new Map(lineage.overrides().map(({ job_id, task_key, hash }) => [`${job_id} ${task_key}`, hash]))
    const current = new Set(active.map(({ snapshot_id }) => snapshot_id))
    for (const id of nodes.keys()) if (!current.has(id)) nodes.delete(id)
    const found: NodeInJob[] = []
    let until = performance.now() + sliceMs
    for (const job of active) {
      if (performance.now() >= until) {
        await setImmediate()
        until = performance.now() + sliceMs
      }
      for (const node of nodesOf(job.snapshot_id)) {
        found.push({ job, node, override: overrides.get(`${job.id} ${node.task_key}`) ?? null })
      }
    }
    return found
  }

  async function everything(columns = false): Promise<Lineage> {
    const inJobs = await nodesOfJobs()
    const tasks = new Map(lineage.tasks().map((task) => [task.id, task]))
    const ended = lineage.runs()
    const keys = [...keysOf(inJobs, tasks.values()), ...ended.flatMap(({ written_text }) => written_text ?? [])]
    const textOf = await texts.of(keys)
    const found = (key: string) => textOf.get(key) ?? { uses: [], columns: null }
    const endings = new Map(ended.map((run) => [placeOf(run, mappingOf(run.connector_mapping)), run]))

    const contexts = inJobs.map(({ job, node, override }): LineageContext => {
      const bound = mappingOf(job.connector_mapping)
      const mapping = Object.fromEntries(
        Object.entries(node.slots).flatMap(([slot, name]) => {
          const id = bound[name]
          return id === undefined ? [] : [[slot, id]]
        }),
      )
      const { task_id, task_name, task_key } = node
      const last = endings.get(placeOf({ task_id, job_id: job.id, task_key }, mapping))
      return {
        task_id,
        task_name: tasks.get(task_id)?.name ?? task_name,
        text: found(textKeyOf({ ...node, override_hash: override })),
        mapping,
        job: { job_id: job.id, name: job.name, task_key },
        last_run: lastRunOf(last),
      }
    })
    const placed = new Set(contexts.map(({ task_id }) => task_id))
    for (const run of ended) {
      const task = tasks.get(run.task_id)
      if (run.job_id !== 0 || !task) continue
      placed.add(task.id)
      contexts.push({
        task_id: task.id,
        task_name: task.name,
        text: found(`${task.id}/${task.current_version}`),
        mapping: mappingOf(run.connector_mapping),
        job: null,
        last_run: lastRunOf(run),
      })
    }
    for (const { id, name, current_version } of tasks.values()) {
      if (placed.has(id)) continue
      const text = found(`${id}/${current_version}`)
      contexts.push({ task_id: id, task_name: name, text, mapping: {}, job: null, last_run: null })
    }
    const writes = ended.flatMap((run): LineageWrite[] => {
      if (run.written_text === null || run.written_at === null) return []
      const task_name = tasks.get(run.task_id)?.name ?? `#${run.task_id}`
      const { task_id, written_at: at, written_run_id: run_id, rows } = run
      return [
        {
          task_id,
          task_name,
          text: found(run.written_text),
          mapping: mappingOf(run.connector_mapping),
          at,
          run_id,
          rows,
        },
      ]
    })
    return buildLineage(contexts, writes, connectorsOf(lineage.connectors()), columns)
  }

  function connectorsOf(rows: readonly LineageConnectorRow[]): LineageConnectors {
    return new Map(
      rows.map(({ id, name, type, config }) => {
        // Written by the connectors feature, as an object.
        const connector: DatasetConnector = { name, type, config: JSON.parse(config) as Record<string, unknown> }
        return [id, { id, ...connector }]
      }),
    )
  }

  function noteFreshness({ datasets }: Lineage): void {
    const rules = new Map<string, LineageDataset['freshness']>()
    for (const { dataset, ...rule } of freshness()) if (!rules.has(dataset)) rules.set(dataset, rule)
    for (const dataset of datasets) dataset.freshness = rules.get(dataset.id) ?? null
  }

  /** Ids of the datasets that a text writes with these connectors. */
  function writtenBy(key: string, mapping: Mapping): string[] {
    const connectors = connectorsOf(lineage.connectorsOf(Object.values(mapping)))
    const { datasets } = runLineage(texts.now(key), mapping, connectors)
    return datasets.flatMap(({ access, namespace, name }) => (access === 'write' ? [`${namespace} ${name}`] : []))
  }

  /** With the run's arguments; null where they or the text are gone. */
  function usesOf(key: string, run: RunOfText): DatasetUse[] | null {
    const [yaml, given] = [lineage.yamlOf(key), lineage.argumentsOf(run.id)]
    if (yaml === undefined || given === undefined) return null
    const { id, attempt, logical_date, trigger_type, task_name, job_run_id, item_count } = run
    const values = { id, attempt, logical_date, trigger_type, task_name, job_run_id }
    // Written by the start of the run from a validated body.
    const args = JSON.parse(given) as Record<string, unknown>
    // Hooks after the work know how many rows were written.
    return runDatasetUses(yaml, args, item_count === null ? values : { ...values, item_count })
  }

  let soon: NodeJS.Timeout | undefined
  /** Reads new texts before they are asked for, while further ones arrive, too. */
  function readAheadSoon(): void {
    if (soon || draining.aborted) return
    soon = setTimeout(() => {
      soon = undefined
      readAhead().catch((error: unknown) => {
        if (!draining.aborted) logger.warn({ err: error }, 'Datasets of tasks could not be read ahead')
      })
    }, aheadAfterMs)
    soon.unref()
  }
  async function readAhead(): Promise<void> {
    await texts.of(keysOf(await nodesOfJobs(), lineage.tasks()))
  }
  draining.addEventListener('abort', () => clearTimeout(soon), { once: true })

  return {
    async get({
      direction = 'both',
      depth = 100,
      columns = false,
      ...start
    }: QueryOf<typeof getLineage>): Promise<Lineage> {
      const all = await everything(columns)
      noteFreshness(all)
      return Object.values(start).some((value) => value !== undefined)
        ? (around(all, { ...start, direction, depth }) ?? notFound())
        : all
    },

    /** What a run reads and writes, by the text that it runs, its arguments, and the connectors that it is given. */
    async ofRun(run: LineageRun & RunOfText): Promise<RunLineage> {
      const key = textKeyOf(run)
      const text = (await texts.of([key])).get(key) ?? { uses: [], columns: null }
      const mapping = mappingOf(run.connector_mapping ?? '{}')
      const uses = text.uses.some(({ pattern }) => pattern) ? usesOf(key, run) : null
      return runLineage(
        { ...text, uses: uses ?? text.uses },
        mapping,
        connectorsOf(lineage.connectorsOf(Object.values(mapping))),
      )
    },

    /** In the transaction in which it ends: what it has written, as names with arguments are written. */
    writtenBy: (run: LineageRun): string[] => writtenBy(textKeyOf(run), mappingOf(run.connector_mapping ?? '{}')),
    /** The newest run that has written it; in a transaction. */
    lastWrite(of: { dataset: string } | { task_id: number }): { run_id: number; at: string } | undefined {
      const rows = 'dataset' in of ? lineage.writes() : lineage.writesOfTask(of.task_id)
      const found = rows.find(
        (row) =>
          !('dataset' in of) || writtenBy(row.written_text, mappingOf(row.connector_mapping)).includes(of.dataset),
      )
      return found && { run_id: found.written_run_id, at: found.written_at }
    },
    async hasDataset(dataset: string): Promise<boolean> {
      return (await everything()).datasets.some(({ id }) => id === dataset)
    },

    start(): void {
      readAheadSoon()
      events.subscribe((batch) => {
        if (batch.some(({ type }) => type === 'task.changed' || type === 'job.changed')) readAheadSoon()
      })
    },
  }
}
export type LineageService = ReturnType<typeof createLineageService>

/** Of the texts that jobs and tasks would run. */
const keysOf = (inJobs: readonly NodeInJob[], tasks: Iterable<LineageTaskRow>): string[] => [
  ...inJobs.map(({ node, override }) => textKeyOf({ ...node, override_hash: override })),
  ...Array.from(tasks, ({ id, current_version }) => `${id}/${current_version}`),
]

// Written by runs and jobs from validated bodies.
const mappingOf = (json: string) => JSON.parse(json) as Mapping

function placeOf(
  { task_id, job_id, task_key }: Pick<LineageRunRow, 'task_id' | 'job_id' | 'task_key'>,
  mapping: Mapping,
) {
  const sorted = Object.entries(mapping).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([task_id, job_id, task_key, sorted])
}

const lastRunOf = (run: LineageRunRow | undefined): LineageContext['last_run'] =>
  run ? { run_id: run.run_id, status: run.status, at: run.ended_at } : null
