/** Levels of nested maps and lists. Deeper documents are refused before anything recurses over them. */
export const MAX_DEPTH = 64

/** Maps, lists and scalars, an alias counted with all it repeats. */
export const MAX_VALUES = 100_000
/** A text that is not YAML at all can have many more tokens than values. */
const MAX_TOKENS = 800_000

/** What the lexer puts before a scalar's own text. */
const SCALAR_FOLLOWS = '\u001f'
const FLOW_ENDED_EARLY = '\u0018'
const DOCUMENT_STARTS = '\u0002'

/** Marks take no room in the text. */
export const isMark = (token: string): boolean =>
  token === SCALAR_FOLLOWS || token === FLOW_ENDED_EARLY || token === DOCUMENT_STARTS
export const isScalarMark = (token: string): boolean => token === SCALAR_FOLLOWS
/** A bracket is still open where a line begins that belongs to something around it. */
export const isFlowEnd = (token: string): boolean => token === FLOW_ENDED_EARLY

export type ScannedTokens =
  | { ok: true; tokens: string[] }
  | { ok: false; code: 'too_deep' | 'too_many_values'; offset: number }

/**
 * Takes the lexer's tokens one by one and stops at the one that opens level MAX_DEPTH + 1 or value MAX_VALUES + 1, before anything
 * has recursed over the text or grown with it. Linear.
 */
export function scanTokens(lexer: Iterable<string>): ScannedTokens {
  const tokens: string[] = []
  const place: Place = { blocks: [], flow: 0, column: 0, contentColumn: -1 }
  let values = 0
  let offset = 0
  let scalarFollows = false
  for (const token of lexer) {
    tokens.push(token)
    if (token === SCALAR_FOLLOWS && !scalarFollows) {
      scalarFollows = true
      continue
    }
    if (!scalarFollows && (token === DOCUMENT_STARTS || token === FLOW_ENDED_EARLY)) {
      place.blocks.length = 0
      place.flow = 0
      continue
    }
    const indicator = scalarFollows ? '' : token
    scalarFollows = false
    if (indicator === '-' || indicator === ':' || indicator === '?' || indicator === ',') values++
    if (values > MAX_VALUES || tokens.length > MAX_TOKENS) return { ok: false, code: 'too_many_values', offset }
    if (!advance(place, indicator, token)) return { ok: false, code: 'too_deep', offset }
    offset += token.length
  }
  return { ok: true, tokens }
}

/**
 * Where the scan stands. Flow levels are brackets; block levels are the columns at which `-`, `?` or a key stands, each inside the
 * one before.
 */
interface Place {
  blocks: { column: number; list: boolean }[]
  flow: number
  column: number
  /** Column of what may turn out to be a key: the first content since the line began or since the last indicator. */
  contentColumn: number
}

/** false: too deep. */
function advance(place: Place, indicator: string, token: string): boolean {
  if (indicator === '\n' || indicator === '\r\n') {
    place.column = 0
    place.contentColumn = -1
    return true
  }
  if (indicator === '[' || indicator === '{') place.flow++
  else if (indicator === ']' || indicator === '}') place.flow = Math.max(0, place.flow - 1)
  if (place.flow === 0 && (indicator === '-' || indicator === '?' || indicator === ':')) {
    openBlock(
      place,
      indicator === ':' && place.contentColumn !== -1 ? place.contentColumn : place.column,
      indicator === '-',
    )
    place.contentColumn = -1
  } else if (place.contentColumn === -1 && !/^[ \t#]/.test(indicator)) {
    place.contentColumn = place.column
  }
  const lineEnd = token.lastIndexOf('\n')
  place.column = lineEnd === -1 ? place.column + token.length : token.length - lineEnd - 1
  if (lineEnd !== -1 && place.column === 0) place.contentColumn = -1
  return place.blocks.length + place.flow <= MAX_DEPTH
}

function openBlock(place: Place, column: number, list: boolean): void {
  const { blocks } = place
  while ((blocks.at(-1)?.column ?? -1) > column) blocks.pop()
  const top = blocks.at(-1)
  // A list may stand at the column of the key that holds it; anything else at the same column is the same level.
  if (!top || top.column < column || (list && !top.list)) blocks.push({ column, list })
  else if (top.list && !list) blocks.pop()
}
