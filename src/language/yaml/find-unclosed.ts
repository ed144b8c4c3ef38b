import { isFlowEnd, isMark, isScalarMark } from './scan-tokens.ts'
import type { Span } from './yaml-tree.ts'

/**
 * The quote or bracket that was left open before a syntax error: what follows it is read as a part of it, so that the parser
 * notices lines later, or at the end of the text. `tokens` are the lexer's. null: none.
 */
export function findUnclosed(text: string, tokens: readonly string[], error: number): Span | null {
  const brackets: number[] = []
  let at = 0
  let scalar = false
  for (const token of tokens) {
    if (isFlowEnd(token)) break
    if (isMark(token)) {
      scalar = isScalarMark(token)
      continue
    }
    if (at >= error) break
    const isQuoted = !scalar && (token.startsWith('"') || token.startsWith("'"))
    if (isQuoted && isLeftOpen(text, token, at, error)) return { start: at, end: at + 1 }
    if (!scalar && (token === '[' || token === '{')) brackets.push(at)
    else if (!scalar && (token === ']' || token === '}')) brackets.pop()
    scalar = false
    at += token.length
  }
  const bracket = brackets.at(-1)
  return bracket === undefined ? null : { start: bracket, end: bracket + 1 }
}

/** It holds lines that look like the document's own, and the trouble begins on the line where it ends. */
function isLeftOpen(text: string, token: string, start: number, error: number): boolean {
  if (!/\n[ \t]*(- |[\w"'-]+:(\s|$))/.test(token)) return token.length > 1 && !token.endsWith(token[0] ?? '')
  const end = start + token.length
  const lineEnd = text.indexOf('\n', end)
  return error <= (lineEnd === -1 ? text.length : lineEnd)
}
