/** The answer of the server as the graph shows it, and what a search leaves of it. Pure. */
import type { Lineage, LineageDataset, LineageTask } from '../../../contract/lineage.ts'
import type { GraphNode } from '../../ui/graph/graph.types.ts'

/** What nodes say in their second line, in the language of the window. */
export interface LineageWords {
  /** `filled`: a task writes it; `now`: ms since 1970. */
  dataset(dataset: LineageDataset, filled: boolean, now: number): string
  task(task: LineageTask): string
}

/** Every dataset and task, with what leads to it. Second lines are written when they are drawn: of thousands few are read. */
export function graphNodesOf({ datasets, tasks, edges }: Lineage, words: LineageWords): GraphNode[] {
  const into = Map.groupBy(edges, ({ to }) => to)
  const dependsOn = (id: string) => (into.get(id) ?? []).map(({ from }) => from)
  return [
    ...datasets.map((dataset): GraphNode => {
      const { id, kind, label, freshness } = dataset
      // A table hasn’t failed: the words say that it is overdue.
      const status = freshness?.state === 'violated' ? { status: 'failed' as const, brief: true } : {}
      const filled = (into.get(id) ?? []).some((edge) => edge.kind === 'write')
      return {
        id,
        kind,
        label,
        sublabel: (now) => words.dataset(dataset, filled, now),
        dependsOn: dependsOn(id),
        ...status,
      }
    }),
    ...tasks.map((task): GraphNode => {
      const { id, name, last_run } = task
      const status = last_run ? { status: last_run.status } : {}
      return {
        id,
        kind: 'task',
        label: name,
        get sublabel() {
          return words.task(task)
        },
        dependsOn: dependsOn(id),
        ...status,
      }
    }),
  ]
}

/** What each node is found by. */
export function searchTexts({ datasets, tasks }: Lineage): ReadonlyMap<string, string> {
  return new Map(
    [
      ...datasets.map(({ id, label, connectors }) => [id, [id, label, ...connectors.map(({ name }) => name)]] as const),
      ...tasks.map(({ id, name, jobs }) => [id, [name, ...jobs.map((job) => job.name)]] as const),
    ].map(([id, texts]) => [id, texts.join('\n').toLowerCase()] as const),
  )
}

/** Ids of the nodes that hold every word. */
export function found(texts: ReadonlyMap<string, string>, q: string): ReadonlySet<string> {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  return new Set([...texts].flatMap(([id, text]) => (words.every((word) => text.includes(word)) ? [id] : [])))
}

/** The nodes that were found and, dimmed, those beside them; nodes that were drawn before stay the same objects. */
export function narrowed(nodes: readonly GraphNode[], matches: ReadonlySet<string>): readonly GraphNode[] {
  // The first letters often find everything: nothing is laid out or drawn again.
  if (matches.size === nodes.length) return nodes
  const near = new Set(matches)
  for (const { id, dependsOn } of nodes) {
    for (const from of dependsOn) {
      if (matches.has(from)) near.add(id)
      if (matches.has(id)) near.add(from)
    }
  }
  return nodes.flatMap((node) => (matches.has(node.id) ? [node] : near.has(node.id) ? [{ ...node, dimmed: true }] : []))
}

/** Dims what the data of the chosen node neither comes from nor goes to; the others stay the same objects. */
export function focused(nodes: readonly GraphNode[], chosen: string): readonly GraphNode[] {
  const from = new Map(nodes.map(({ id, dependsOn }) => [id, dependsOn]))
  const to = new Map<string, string[]>()
  for (const { id, dependsOn } of nodes) for (const one of dependsOn) to.set(one, [...(to.get(one) ?? []), id])
  const connected = new Set<string>()
  for (const next of [from, to]) {
    const seen = new Set([chosen])
    // A set visits what is added to it on the way.
    for (const id of seen) for (const one of next.get(id) ?? []) seen.add(one)
    for (const id of seen) connected.add(id)
  }
  return nodes.map((node) => (connected.has(node.id) || node.dimmed ? node : { ...node, dimmed: true }))
}

/** What a dataset is filled by and read by, or what a task reads and writes; `match`: other names for the same data. */
export function neighboursOf({ edges }: Lineage, id: string): { before: string[]; after: string[] } {
  return {
    before: edges.filter(({ to }) => to === id).map(({ from }) => from),
    after: edges.filter(({ from }) => from === id).map(({ to }) => to),
  }
}
