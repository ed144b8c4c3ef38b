import { findCursor } from '../../../language/editor/cursor.ts'
import type { Segment } from '../../../language/editor/schema-walk.ts'
import { indexLines } from '../../../language/yaml/line-index.ts'
import { readYaml } from '../../../language/yaml/read-yaml.ts'
import type { YamlEntry } from '../../../language/yaml/yaml-tree.ts'

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
const wholeWork: ReadonlySet<string> = new Set(['source', 'sql', 'http', 'script', 'command'])

/** Where each stage stands in the text. Text that is no YAML gives none. */
export function stageLines(text: string): StagePlace[] {
  const { root, wellFormed } = readYaml(text, () => {})
  if (!wellFormed || root?.kind !== 'map') return []
  const placeOf = indexLines(text)
  const found: StagePlace[] = []
  const add = (stage: number, { keySpan: { start, end: keyEnd }, value }: YamlEntry) => {
    const end = Math.max(keyEnd, value.end)
    const lineOf = (offset: number) => placeOf(offset).line
    found.push({
      stage,
      from: lineOf(start),
      to: lineOf(Math.max(start, end - 1)),
      start,
      end,
      key: { start, end: keyEnd },
    })
  }
  for (const entry of root.entries) {
    if (wholeWork.has(entry.key)) add(0, entry)
    if (entry.key !== 'steps' || entry.value.kind !== 'list') continue
    for (const [index, item] of entry.value.items.entries()) {
      const [step] = item.kind === 'map' ? item.entries : []
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

/** The stage that a line (1-based) belongs to, of a text that was read. */
export const stageIn = (stages: readonly StagePlace[], line: number): number | null =>
  stages.find(({ from, to }) => from <= line && line <= to)?.stage ?? null

/** The stage that a line (1-based) belongs to, also while the text is half-typed. */
export function stageAt(text: string, line: number): number | 'last' | null {
  let end = -1
  for (let number = 0; number < line; number += 1) {
    const next = text.indexOf('\n', end + 1)
    end = next === -1 ? text.length : next
  }
  return stageOfPath(findCursor(text, Math.max(0, end)).path)
}
