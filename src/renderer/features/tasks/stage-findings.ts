/** What the stages of a preview say, as findings in the text: underlined where the step stands, with a mending where one is near. */
import { msg } from '../../../language/messages.ts'
import { nearest } from '../../../language/nearest.ts'
import type { TextFinding } from '../../ui/code/editor-knowledge.ts'
import { findWord } from '../../ui/code/quick-fix.ts'
import type { Stage } from './StageStrip.tsx'
import type { StagePlace } from './stage-lines.ts'

/** Names in DuckDB's and the databases' own sentences. */
const named = [
  /Referenced column "([^"]+)" not found/,
  /column "([^"]+)" (?:not found|does not exist)/i,
  /(?:Scalar|Aggregate|Table) Function with name "?([\w]+)"? does not exist/,
  /no such column: ([\w.]+)/,
  /no such table: ([\w.]+)/,
  /Unknown column '([^']+)'/,
  /`([^`]+)`/,
]

function nameIn(message: string): string | null {
  for (const pattern of named) {
    const found = pattern.exec(message)?.[1]
    if (found !== undefined) return found
  }
  return null
}

/** The near match that the system itself names, or the column before the step that is most like the word. */
function nearName(message: string, word: string, columns: readonly string[]): string | null {
  const offered = [/Did you mean "([^"]+)"/, /Candidate bindings: "([^"]+)"/].map(
    (pattern) => pattern.exec(message)?.[1],
  )
  const first = offered.find((one) => one !== undefined)
  const candidates = first === undefined ? columns : [first.split('.').at(-1) ?? first, ...columns]
  return candidates.includes(word) ? null : nearest(word, candidates)
}

export function stageFindings(text: string, places: readonly StagePlace[], stages: readonly Stage[]): TextFinding[] {
  return stages.flatMap((stage) => {
    const place = places.find((one) => one.stage === stage.index)
    if (!stage.error || !place || stage.error.code === 'NOT_PREVIEWED') return []
    const { message } = stage.error
    const word = nameIn(message)
    const at = word === null ? null : findWord(text, word, place.start, place.end)
    const columns = stages.find((one) => one.index === stage.index - 1)?.columns.map((column) => column.name) ?? []
    const near = word !== null && at !== null ? nearName(message, word, columns) : null
    const range = word !== null && at !== null ? { start: at, end: at + word.length } : place.key
    return [
      {
        severity: 'error' as const,
        // The word first: a mending is for what the message names first.
        message: near === null ? message : `\`${word}\`: ${message}`,
        ...(stage.error.hint === undefined ? {} : { hint: stage.error.hint }),
        ...(near === null ? {} : { params: { fix: msg('did_you_mean', { near }) } }),
        path: stage.index === 0 ? 'source' : `steps[${stage.index - 1}]`,
        ...placeOf(text, range),
      },
    ]
  })
}

function placeOf(text: string, { start, end }: { start: number; end: number }) {
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length
  const columnOf = (offset: number) => offset - text.lastIndexOf('\n', offset - 1)
  return { line: lineOf(start), column: columnOf(start), end_line: lineOf(end), end_column: columnOf(end) }
}
