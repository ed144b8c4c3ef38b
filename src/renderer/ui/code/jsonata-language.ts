import { HighlightStyle, StreamLanguage, type StringStream } from '@codemirror/language'
import { tags } from '@lezer/highlight'

interface State {
  /** In a comment that has not ended. */
  comment: boolean
  /** The quote of a string that goes on in the next line. */
  quote: string | null
  /** After a value a slash divides; elsewhere it begins a pattern. */
  value: boolean
}

const words: Readonly<Record<string, string | undefined>> = {
  and: 'keyword',
  or: 'keyword',
  in: 'keyword',
  function: 'keyword',
  true: 'bool',
  false: 'bool',
  null: 'null',
}

function inComment(stream: StringStream, state: State): string {
  state.comment = !stream.skipTo('*/')
  if (state.comment) stream.skipToEnd()
  else stream.match('*/')
  return 'comment'
}

function inString(stream: StringStream, state: State, quote: string): string {
  for (let next = stream.next(); next; next = stream.next()) {
    if (next === '\\') stream.next()
    else if (next === quote) {
      state.quote = null
      return 'string'
    }
  }
  return 'string'
}

function token(stream: StringStream, state: State): string | null {
  if (state.comment) return inComment(stream, state)
  if (state.quote !== null) return inString(stream, state, state.quote)
  if (stream.eatSpace()) return null
  if (stream.match('/*')) {
    state.comment = true
    return inComment(stream, state)
  }
  const divides = state.value
  state.value = true
  if (stream.match(/^(?:\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/)) return 'number'
  const name = stream.match(/^\$?[\p{L}_][\p{L}\p{N}_]*|^\$\$?/u)
  if (Array.isArray(name)) {
    const [text = ''] = name
    if (!text.startsWith('$')) {
      const known = Object.hasOwn(words, text) ? words[text] : undefined
      if (known === 'keyword') state.value = false
      return known ?? 'variableName'
    }
    return stream.match(/^\s*\(/, false) ? 'variableName.function' : 'variableName.special'
  }
  const next = stream.next()
  if (next === '"' || next === "'") {
    state.quote = next
    return inString(stream, state, next)
  }
  // A name that is none without its ticks.
  if (next === '`') {
    stream.match(/^[^`]*`?/)
    return 'variableName'
  }
  if (next === '/' && !divides && stream.match(/^(?:[^/\\]|\\.)+\/[im]*/)) return 'regexp'
  if (next === ')' || next === ']' || next === '}') return 'bracket'
  state.value = false
  return next === '(' || next === '[' || next === '{' ? 'bracket' : 'operator'
}

/** The language of `map` and of `${{ }}`: its words, not its grammar. */
export const jsonata = StreamLanguage.define<State>({
  name: 'jsonata',
  startState: () => ({ comment: false, quote: null, value: false }),
  copyState: (state) => ({ ...state }),
  token,
  languageData: { commentTokens: { block: { open: '/*', close: '*/' } } },
})

/** Within `${{ }}`, which has a color of its own: the theme says which of these stand out there. */
export const expressionTokens = HighlightStyle.define(
  [
    { tag: [tags.string, tags.regexp], class: 'cm-expression-string' },
    { tag: tags.number, class: 'cm-expression-number' },
    { tag: [tags.keyword, tags.bool, tags.null], class: 'cm-expression-literal' },
    { tag: tags.comment, class: 'cm-expression-comment' },
  ],
  { scope: jsonata },
)
