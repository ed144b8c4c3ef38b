import type { JobRunItem, JobRunNode } from '../../../contract/job-runs.ts'

export type TreeRow =
  | { kind: 'node'; id: string; node: JobRunNode; position: number }
  | { kind: 'item'; id: string; node: JobRunNode; item: JobRunItem }
  /** Items that are still on their way, or could not be read. */
  | { kind: 'more'; id: string; node: JobRunNode; left: number; failed: boolean }

/** Items of an unfolded node, as far as they are loaded. */
export interface LoadedItems {
  items: readonly JobRunItem[]
  hasMore: boolean
  failed: boolean
}

export const nodeRowId = (key: string) => key
/** Task keys hold no brackets, so that no node is called like an item. */
export const itemRowId = (key: string, index: number) => `${key}[${index}]`

type NodeRow = Extract<TreeRow, { kind: 'node' }>
type ItemRow = Extract<TreeRow, { kind: 'item' }>
// A row stays the same object as long as what it shows does: only rows that changed are drawn again.
const nodeRows = new WeakMap<JobRunNode, NodeRow>()
const itemRows = new WeakMap<JobRunItem, ItemRow>()

function nodeRow(node: JobRunNode, position: number): NodeRow {
  const known = nodeRows.get(node)
  if (known?.position === position) return known
  const row: NodeRow = { kind: 'node', id: nodeRowId(node.key), node, position }
  nodeRows.set(node, row)
  return row
}

function itemRow(node: JobRunNode, item: JobRunItem): ItemRow {
  const known = itemRows.get(item)
  if (known?.node === node) return known
  const row: ItemRow = { kind: 'item', id: itemRowId(node.key, item.index), node, item }
  itemRows.set(item, row)
  return row
}

/** The visible rows of the tree: nodes in the order of the template, below an unfolded one its items. */
export function treeRows(
  nodes: readonly JobRunNode[],
  unfolded: ReadonlySet<string>,
  loaded: ReadonlyMap<string, LoadedItems>,
): TreeRow[] {
  const rows: TreeRow[] = []
  for (const [position, node] of nodes.entries()) {
    rows.push(nodeRow(node, position))
    if (!node.for_each || !unfolded.has(node.key)) continue
    const own = loaded.get(node.key)
    // Until the list of items is here, those that came with the node.
    const items = own && own.items.length > 0 ? own.items : node.items
    for (const item of items) rows.push(itemRow(node, item))
    const left = Math.max(0, (node.item_total ?? items.length) - items.length)
    if (left > 0 && (own === undefined || own.hasMore || own.failed)) {
      rows.push({ kind: 'more', id: `${node.key}[more]`, node, left, failed: own?.failed ?? false })
    }
  }
  return rows
}

/** The value of an item in one line: a text as it is, anything else as JSON. */
export function itemText(item: unknown): string {
  return typeof item === 'string' ? item : (JSON.stringify(item) ?? '')
}
