/** The graph of datasets and tasks, from what texts name and what they are bound to. Pure. */
import type { Lineage, LineageColumn, LineageDataset, LineageEdge, LineageTask } from '../../../contract/lineage.ts'
import { type DatasetConnector, datasetName } from '../../../language/lineage/dataset-names.ts'
import type { DatasetUse } from '../../../language/lineage/dataset-uses.ts'
import type { TaskLineage } from '../../../language/lineage/task-lineage.ts'
import { matchEdges } from './lineage-matches.rules.ts'

/** A task as it runs: on its own, or in a job. */
export interface LineageContext {
  task_id: number
  task_name: string
  text: TaskLineage
  /** Slot → connector id. */
  mapping: Readonly<Record<string, number>>
  job: { job_id: number; name: string; task_key: string } | null
  last_run: LineageTask['last_run']
}
/** What a run has written, by the text that it ran. */
export interface LineageWrite extends Pick<LineageContext, 'task_id' | 'task_name' | 'text' | 'mapping'> {
  at: string
  run_id: number | null
  rows: number | null
}
export type LineageConnectors = ReadonlyMap<number, DatasetConnector & { id: number }>

interface Node extends LineageTask {
  reads: ReadonlySet<string>
  writes: ReadonlySet<string>
}

export function buildLineage(
  contexts: readonly LineageContext[],
  written: readonly LineageWrite[],
  connectors: LineageConnectors,
  withColumns: boolean,
): Lineage {
  const datasets = new Map<string, LineageDataset>()
  const nodes = new Map<string, Node>()
  const perTask = new Map<number, number>()

  function datasetOf(use: DatasetUse, { task_id, mapping }: Pick<LineageContext, 'task_id' | 'mapping'>) {
    const connector = connectors.get(mapping[use.slot] ?? 0)
    const label = use.schema === null ? use.name : `${use.schema}.${use.name}`
    const { namespace, name } = connector
      ? datasetName(use, connector)
      : { namespace: `unbound:${task_id}/${use.slot}`, name: label }
    return { id: `${namespace} ${name}`, namespace, name, label, connector }
  }

  function add(use: DatasetUse, context: LineageContext): string {
    const { id, connector, ...named } = datasetOf(use, context)
    const known = datasets.get(id)
    const found = known ?? { id, kind: use.kind, ...named, pattern: use.pattern, connectors: [], last_written: null }
    if (!known) datasets.set(id, found)
    if (connector && !found.connectors.some((one) => one.id === connector.id)) {
      found.connectors.push({ id: connector.id, name: connector.name, type: connector.type })
    }
    return id
  }

  for (const context of contexts) {
    const { task_id, text, job, last_run } = context
    if (text.uses.length === 0) continue
    const ids = text.uses.map((use) => ({ use, id: add(use, context) }))
    const key = JSON.stringify([task_id, ids.map(({ use, id }) => [use.part, use.access, id])])
    let node = nodes.get(key)
    if (!node) {
      const number = (perTask.get(task_id) ?? 0) + 1
      perTask.set(task_id, number)
      const of = (access: DatasetUse['access']) =>
        new Set(ids.filter(({ use }) => use.access === access).map(({ id }) => id))
      node = {
        id: number === 1 ? `task ${task_id}` : `task ${task_id} ${number}`,
        task_id,
        name: context.task_name,
        jobs: [],
        last_run: null,
        ...(withColumns && { columns: columnsOf(text, ids) }),
        reads: of('read'),
        writes: of('write'),
      }
      nodes.set(key, node)
    }
    if (job) node.jobs.push(job)
    if (last_run && (node.last_run === null || node.last_run.at < last_run.at)) node.last_run = last_run
  }

  for (const write of written) {
    for (const use of write.text.uses) {
      if (use.access !== 'write') continue
      const dataset = datasets.get(datasetOf(use, write).id)
      if (!dataset || (dataset.last_written && dataset.last_written.at >= write.at)) continue
      const { at, run_id, task_id, task_name } = write
      // Rows are those of the target; hooks may write any number.
      const rows = use.part === 'target' || use.part === 'sql' ? write.rows : null
      dataset.last_written = { at, run_id, task_id, task_name, rows }
    }
  }

  const list = [...nodes.values()]
  const edges = list.flatMap(({ id, reads, writes }): LineageEdge[] => [
    ...[...reads].map((from) => ({ from, to: id, kind: 'read' as const })),
    ...[...writes].map((to) => ({ from: id, to, kind: 'write' as const })),
  ])
  const matched = matchEdges([...datasets.values()], list)
  return {
    datasets: [...datasets.values()],
    tasks: list.map(({ reads: _, writes: __, ...task }) => task),
    edges: [...edges, ...matched.edges],
    truncated: matched.truncated,
  }
}

function columnsOf({ columns }: TaskLineage, ids: readonly { use: DatasetUse; id: string }[]): LineageTask['columns'] {
  if (columns === null) return null
  const partOf = (from: string) => (from === 'source' ? 'source' : `inputs.${from}`)
  const datasetsOf = (part: string) =>
    ids.filter(({ use }) => use.part === part && use.access === 'read').map(({ id }) => id)
  const known = columns.columns.map(({ name, origins }): LineageColumn => ({
    name,
    origins: origins.map(({ from, column, unchanged }) => {
      const part = partOf(from)
      return { part, datasets: datasetsOf(part), column, unchanged }
    }),
  }))
  return { known, others: columns.others }
}

export interface LineageStart {
  dataset?: string
  task_id?: number
  job_id?: number
  connector_id?: number
  direction: 'upstream' | 'downstream' | 'both'
  depth: number
}

/** The part of the graph around its starting points; null where there is nothing to start from. */
export function around(lineage: Lineage, { direction, depth, ...start }: LineageStart): Lineage | null {
  const begins = [
    ...lineage.datasets.filter(
      ({ id, connectors }) => id === start.dataset || connectors.some((one) => one.id === start.connector_id),
    ),
    ...lineage.tasks.filter(
      ({ task_id, jobs }) => task_id === start.task_id || jobs.some((job) => job.job_id === start.job_id),
    ),
  ].map(({ id }) => id)
  if (begins.length === 0) return null
  const up =
    direction === 'downstream'
      ? []
      : reached(
          begins,
          Map.groupBy(lineage.edges, ({ to }) => to),
          depth,
          'from',
        )
  const down =
    direction === 'upstream'
      ? []
      : reached(
          begins,
          Map.groupBy(lineage.edges, ({ from }) => from),
          depth,
          'to',
        )
  const near = new Set([...begins, ...up, ...down])
  return {
    ...lineage,
    datasets: lineage.datasets.filter(({ id }) => near.has(id)),
    tasks: lineage.tasks.filter(({ id }) => near.has(id)),
    edges: lineage.edges.filter(({ from, to }) => near.has(from) && near.has(to)),
  }
}

function reached(
  begins: readonly string[],
  edges: ReadonlyMap<string, readonly LineageEdge[]>,
  depth: number,
  next: 'from' | 'to',
): Set<string> {
  const found = new Set(begins)
  let rim: readonly string[] = begins
  for (let step = 0; step < depth && rim.length > 0; step++) {
    const further: string[] = []
    for (const id of rim) {
      for (const edge of edges.get(id) ?? []) {
        if (found.has(edge[next])) continue
        found.add(edge[next])
        further.push(edge[next])
      }
    }
    rim = further
  }
  return found
}
