import { type Message, msg } from '../../contract/messages.ts'
/** Where a text stops being JSON: 1-based line and column, and what is wrong there. */
export interface JsonMistake extends Message {
  line: number
  column: number
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORD = /true|false|null/y
const BLANK = /[ \t\n\r]*/y

/**
 * Finds the first mistake in a text that JSON.parse has refused: V8 names the place only sometimes. Iterative, so that
 * nesting cannot exhaust the stack.
 */
export function findJsonMistake(text: string): JsonMistake {
  let at = 0
  const open: ('{' | '[')[] = []
  const skip = (pattern: RegExp) => {
    pattern.lastIndex = at
    const length = pattern.exec(text)?.[0].length ?? -1
    if (length >= 0) at += length
    return length >= 0
  }
  const skipString = () => {
    if (text[at] !== '"') return false
    const end = stringEnd(text, at)
    at = Math.abs(end)
    return end > 0
  }
  const fail = (expected: string) => mistake(text, at, expected)
  let state: 'value' | 'first' | 'key' | 'after' = 'value'
  for (;;) {
    skip(BLANK)
    const char = text[at]
    if (state === 'after') {
      const innermost = open.at(-1)
      if (innermost === undefined) return fail('the end of the text')
      if (char === ',') state = innermost === '{' ? 'key' : 'value'
      else if (char === (innermost === '{' ? '}' : ']')) open.pop()
      else return fail(innermost === '{' ? '"," or "}"' : '"," or "]"')
      at += 1
    } else if (state === 'first' && char === (open.at(-1) === '{' ? '}' : ']')) {
      open.pop()
      at += 1
      state = 'after'
    } else if (state === 'key' || (state === 'first' && open.at(-1) === '{')) {
      if (!skipString()) return fail('a name in double quotes')
      skip(BLANK)
      if (text[at] !== ':') return fail('":"')
      at += 1
      state = 'value'
    } else if (char === '{' || char === '[') {
      open.push(char)
      at += 1
      state = 'first'
    } else if (skipString() || skip(NUMBER) || skip(WORD)) {
      state = 'after'
    } else {
      return fail('a value')
    }
  }
}

/** The place after the string that begins at `at`; negative: the place where it stops being one. */
function stringEnd(text: string, at: number): number {
  for (let i = at + 1; i < text.length; i++) {
    const char = text[i]!
    if (char === '"') return i + 1
    if (char < ' ') return -i
    if (char !== '\\') continue
    if (!/^(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.test(text.slice(i + 1, i + 6))) return -i
    i += 1
  }
  return -text.length
}

function mistake(text: string, at: number, expected: string): JsonMistake {
  const before = text.slice(0, at)
  const line = before.split('\n').length
  const column = at - before.lastIndexOf('\n')
  const found = text[at]
  return { ...(found ? msg('json_unexpected', { found, expected }) : msg('json_ends', { expected })), line, column }
}
