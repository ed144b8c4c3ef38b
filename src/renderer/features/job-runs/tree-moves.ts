import type { TreeRow } from './tree-rows.ts'

export type TreeMove = { kind: 'go'; index: number } | { kind: 'fold'; key: string; open: boolean }

/** What a key does in the tree, after the pattern of WAI-ARIA; null: nothing of the tree's. */
export function treeMove(
  key: string,
  rows: readonly TreeRow[],
  at: number,
  unfolded: ReadonlySet<string>,
  page: number,
): TreeMove | null {
  const go = (index: number): TreeMove => ({ kind: 'go', index: Math.max(0, Math.min(index, rows.length - 1)) })
  const row = rows[at]
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return go(at + 1)
    case 'ArrowUp':
    case 'k':
      return go(at - 1)
    case 'PageDown':
      return go(at + page)
    case 'PageUp':
      return go(at - page)
    case 'Home':
      return go(0)
    case 'End':
      return go(rows.length - 1)
    case 'ArrowRight':
      if (row?.kind !== 'node' || !row.node.for_each) return null
      return unfolded.has(row.node.key) ? go(at + 1) : { kind: 'fold', key: row.node.key, open: true }
    case 'ArrowLeft': {
      if (row?.kind === 'node') {
        return unfolded.has(row.node.key) ? { kind: 'fold', key: row.node.key, open: false } : null
      }
      const parent = rows.findIndex((one) => one.kind === 'node' && one.node.key === row?.node.key)
      return parent < 0 ? null : go(parent)
    }
    default:
      return null
  }
}
