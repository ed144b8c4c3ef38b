import { LineCounter, type Pair, isMap, isScalar, isSeq, parseDocument } from 'yaml'
import { findCursor } from '../../../language/editor/cursor.ts'
import type { Segment } from '../../../language/editor/schema-walk.ts'

/** Where a stage stands in the text. Stage 0 is the source, n the n-th step. */
export interface StagePlace {
  stage: number
  /** Lines, 1-based, both included. */
  from: number
  to: number
  /** Offsets of all of it, and of its key. */
  start: number
  end: number
  key: { start: number; end: number }
}

/** Keys of the root that are the whole work of a task that is no pipeline. */
const wholeWork: ReadonlySet<unknown> = new Set(['source', 'sql', 'http', 'script', 'command'])

/** Where each stage stands in the text. Text that is no YAML gives none. */
export function stageLines(text: string): StagePlace[] {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  if (document.errors.length > 0 || !isMap(document.contents)) return []
  const found: StagePlace[] = []
  const add = (stage: number, pair: Pair) => {
    const key = isScalar(pair.key) ? pair.key.range : null
    // A key without a value ends where it stands.
    const value = isMap(pair.value) || isSeq(pair.value) || isScalar(pair.value) ? pair.value.range : null
    if (!key) return
    const [start] = key
    const end = Math.max(key[1], value?.[1] ?? 0)
    const lineOf = (offset: number) => lines.linePos(offset).line
    found.push({
      stage,
      from: lineOf(start),
      to: lineOf(Math.max(start, end - 1)),
      start,
      end,
      key: { start, end: key[1] },
    })
  }
  for (const pair of document.contents.items) {
    const key: unknown = isScalar(pair.key) ? pair.key.value : null
    if (wholeWork.has(key)) add(0, pair)
    if (key !== 'steps' || !isSeq(pair.value)) continue
    for (const [index, item] of pair.value.items.entries()) {
      const [step] = isMap(item) ? item.items : []
      if (step) add(index + 1, step)
    }
  }
  return found
}

/** The stage that a place of the document belongs to: what is written of the target is about the rows of the last one. */
export function stageOfPath(path: readonly Segment[]): number | 'last' | null {
  const [first, second] = path
  if (first === 'source' || first === 'state') return 0
  if (first === 'steps') return typeof second === 'number' ? second + 1 : null
  return first === 'target' ? 'last' : null
}

/** The stage that a line (1-based) belongs to, also while the text is half-typed. */
export function stageAt(text: string, line: number): number | 'last' | null {
  let end = -1
  for (let number = 0; number < line; number += 1) {
    const next = text.indexOf('\n', end + 1)
    end = next === -1 ? text.length : next
  }
  return stageOfPath(findCursor(text, Math.max(0, end)).path)
}
