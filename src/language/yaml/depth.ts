/** Levels of nested maps and lists. Deeper documents are refused before anything recurses over them. */
export const MAX_DEPTH = 64

/** What the lexer puts before a scalar's own text. */
const SCALAR_FOLLOWS = '\u001f'
const FLOW_ENDED_EARLY = '\u0018'
const DOCUMENT_STARTS = '\u0002'

/**
 * One linear pass over the lexer's tokens: the offset of the token that opens level MAX_DEPTH + 1, or null.
 * Flow levels are brackets; block levels are columns at which `-`, `?` or a key stands, each inside the one before.
 */
export function findTooDeep(tokens: readonly string[]): number | null {
  const blocks: { column: number; list: boolean }[] = []
  let flow = 0
  let offset = 0
  let column = 0
  /** Column of what may turn out to be a key: the first content since the line began or since the last indicator. */
  let contentColumn = -1
  const open = (at: number, list: boolean): boolean => {
    while ((blocks.at(-1)?.column ?? -1) > at) blocks.pop()
    const top = blocks.at(-1)
    // A list may stand at the column of the key that holds it; anything else at the same column is the same level.
    if (!top || top.column < at || (list && !top.list)) blocks.push({ column: at, list })
    else if (top.list && !list) blocks.pop()
    return blocks.length + flow > MAX_DEPTH
  }
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] ?? ''
    if (token === DOCUMENT_STARTS || token === FLOW_ENDED_EARLY) {
      blocks.length = 0
      flow = 0
      continue
    }
    if (token === '\n' || token === '\r\n') {
      offset += token.length
      column = 0
      contentColumn = -1
      continue
    }
    const at = column
    let length = token.length
    if (token === SCALAR_FOLLOWS) length = (tokens[++index] ?? '').length
    if (token === '[' || token === '{') flow++
    else if (token === ']' || token === '}') flow = Math.max(0, flow - 1)
    if (blocks.length + flow > MAX_DEPTH) return offset
    const indicator = flow === 0 && (token === '-' || token === '?' || token === ':')
    if (indicator) {
      const start = token === ':' ? (contentColumn === -1 ? at : contentColumn) : at
      if (open(start, token === '-')) return offset
      contentColumn = -1
    } else if (contentColumn === -1 && token[0] !== ' ' && token[0] !== '\t' && token[0] !== '#') {
      contentColumn = at
    }
    offset += length
    const text = token === SCALAR_FOLLOWS ? (tokens[index] ?? '') : token
    const lineEnd = text.lastIndexOf('\n')
    column = lineEnd === -1 ? column + length : text.length - lineEnd - 1
    if (lineEnd !== -1 && column === 0) contentColumn = -1
  }
  return null
}
