/** Which patterns cover which names, so that `exports/*.csv` leads from the task that writes one file to the one that reads them all. */
import type { LineageDataset, LineageEdge } from '../../../contract/lineage.ts'
import { namePattern } from '../../../language/lineage/name-pattern.ts'

/** Comparisons of one answer: some tenths of a second. */
const mostCompared = 100_000

interface Uses {
  reads: ReadonlySet<string>
  writes: ReadonlySet<string>
}

/** From what is written to what is read, where one of them is a pattern that covers the other's name. */
export function matchEdges(
  datasets: readonly LineageDataset[],
  tasks: readonly Uses[],
): { edges: LineageEdge[]; truncated: boolean } {
  const [read, written] = [new Set<string>(), new Set<string>()]
  for (const { reads, writes } of tasks) {
    for (const id of reads) read.add(id)
    for (const id of writes) written.add(id)
  }
  const edges: LineageEdge[] = []
  let left = mostCompared
  for (const group of Map.groupBy(datasets, ({ kind, namespace }) => `${kind} ${namespace}`).values()) {
    const patterns = group.filter(({ pattern }) => pattern)
    if (patterns.length === 0) continue
    const names = group.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    for (const dataset of patterns) {
      const { prefix, matches } = namePattern(dataset.name, dataset.kind !== 'file' && dataset.kind !== 'path')
      for (const other of names.slice(firstFrom(names, prefix))) {
        if (!other.name.startsWith(prefix)) break
        if (other === dataset) continue
        const [readsAll, writesAny] = [
          read.has(dataset.id) && written.has(other.id),
          written.has(dataset.id) && read.has(other.id),
        ]
        if (!readsAll && !writesAny) continue
        if (left-- === 0) return { edges, truncated: true }
        if (!matches(other.name)) continue
        if (readsAll) edges.push({ from: other.id, to: dataset.id, kind: 'match' })
        if (writesAny) edges.push({ from: dataset.id, to: other.id, kind: 'match' })
      }
    }
  }
  return { edges, truncated: false }
}

/** The place of the first name that isn't before the text. */
function firstFrom(names: readonly LineageDataset[], text: string): number {
  let [low, high] = [0, names.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((names[middle]?.name ?? '') < text) low = middle + 1
    else high = middle
  }
  return low
}
