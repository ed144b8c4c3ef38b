import type { TextFinding } from '../code/editor-knowledge.ts'

/** A finding of the language, here or on the server. */
export type Finding = TextFinding & { code: string }

const placeOf = (one: Finding) => `${one.code} ${one.line}:${one.column} ${one.path} ${one.message}`

/** What the server said of a text: it knows tasks, versions, pools and channels, which the text alone does not tell. */
export interface ServerFindings {
  text: string
  diagnostics: readonly Finding[]
}

/**
 * Findings of the text here, with what only the server can find. While it looks at a newer text its last words stand on as far
 * as the lines that they are about have not changed: marks do not flicker with every letter.
 */
export function mergedFindings(text: string, local: readonly Finding[], server: ServerFindings | undefined): Finding[] {
  if (!server) return [...local]
  const here = new Set(local.map(placeOf))
  const foreign = server.diagnostics.filter((one) => !here.has(placeOf(one)))
  if (server.text === text) return [...local, ...foreign].toSorted((a, b) => a.line - b.line || a.column - b.column)
  const before = server.text.split('\n')
  const now = text.split('\n')
  // Lines that were put in or taken out above move what stands below them.
  const same = (one: Finding, by: number) => {
    for (let line = one.line; line <= one.end_line; line += 1) {
      if (before[line - 1] !== now[line - 1 + by]) return false
    }
    return true
  }
  const moved = now.length - before.length
  const standing = foreign.flatMap((one) => {
    if (same(one, 0)) return [one]
    return moved !== 0 && same(one, moved) ? [{ ...one, line: one.line + moved, end_line: one.end_line + moved }] : []
  })
  // Of a text that is broken in other places the server said less, or more; what is found here counts first.
  const found = new Set(local.map((one) => one.path))
  return [...local, ...standing.filter((one) => !found.has(one.path))].toSorted(
    (a, b) => a.line - b.line || a.column - b.column,
  )
}
