import { LineCounter, isMap, isScalar, isSeq, parseDocument } from 'yaml'

/** Lines of the text that belong to a stage, 1-based, both included. Stage 0 is the source, n the n-th step. */
export interface StageLines {
  stage: number
  from: number
  to: number
}

/** Where each stage stands in the text. Only for text that the language could parse; other text gives none. */
export function stageLines(text: string): StageLines[] {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  if (document.errors.length > 0 || !isMap(document.contents)) return []
  const found: StageLines[] = []
  const add = (stage: number, from: number, to: number) => {
    found.push({ stage, from: lines.linePos(from).line, to: lines.linePos(Math.max(from, to - 1)).line })
  }
  for (const pair of document.contents.items) {
    const key = isScalar(pair.key) ? pair.key : null
    const value = pair.value
    if (key?.value === 'source' && isMap(value) && key.range && value.range) add(0, key.range[0], value.range[1])
    if (key?.value === 'steps' && isSeq(value)) {
      for (const [index, item] of value.items.entries()) {
        const range = isMap(item) || isScalar(item) ? item.range : null
        if (range) add(index + 1, range[0], range[1])
      }
    }
  }
  return found
}

/** The stage that a line belongs to. */
export function stageAt(stages: readonly StageLines[], line: number): number | null {
  return stages.find((stage) => line >= stage.from && line <= stage.to)?.stage ?? null
}
