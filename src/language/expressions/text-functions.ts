import type { FunctionTable } from './function.types.ts'
import { checkItemCount, checkTextLength, ExpressionError, toText } from './machine.ts'
import { msg } from '../messages.ts'

/* The casts below hold because every argument was checked against `parameters` before the call. */
export const textFunctions: FunctionTable = {
  string: {
    signature: '$string(value, indent?)',
    description: 'The value as text; lists and objects as JSON, indented if `indent` is `true`.',
    parameters: ['any', 'boolean'],
    required: 1,
    contextual: true,
    call: ([value, indent], machine) => toText(value, machine, indent === true ? 2 : 0),
  },
  length: {
    signature: '$length(text)',
    description: 'Number of characters.',
    parameters: ['text'],
    required: 1,
    contextual: true,
    call: ([text]) => characters(text as string),
  },
  substring: {
    signature: '$substring(text, start, length?)',
    description: 'Part of a text, counted from 0; a negative start counts from the end.',
    parameters: ['text', 'number', 'number'],
    required: 2,
    contextual: true,
    mayBeNothing: [1],
    call: ([text, start, length]) =>
      start === undefined
        ? length === undefined
          ? text
          : ''
        : substring(text as string, start as number, length as number | undefined),
  },
  substringBefore: {
    signature: '$substringBefore(text, mark)',
    description: 'The text before the first `mark`; all of it if there is none.',
    parameters: ['text', 'text'],
    required: 2,
    contextual: true,
    mayBeNothing: [1],
    call: ([text, mark]) => {
      const at = mark === undefined ? -1 : (text as string).indexOf(mark as string)
      return at === -1 ? text : (text as string).slice(0, at)
    },
  },
  substringAfter: {
    signature: '$substringAfter(text, mark)',
    description: 'The text after the first `mark`; all of it if there is none.',
    parameters: ['text', 'text'],
    required: 2,
    contextual: true,
    mayBeNothing: [1],
    call: ([text, mark]) => {
      const at = mark === undefined ? -1 : (text as string).indexOf(mark as string)
      return at === -1 ? text : (text as string).slice(at + (mark as string).length)
    },
  },
  uppercase: {
    signature: '$uppercase(text)',
    description: 'The text in uppercase.',
    parameters: ['text'],
    required: 1,
    contextual: true,
    call: ([text]) => (text as string).toUpperCase(),
  },
  lowercase: {
    signature: '$lowercase(text)',
    description: 'The text in lowercase.',
    parameters: ['text'],
    required: 1,
    contextual: true,
    call: ([text]) => (text as string).toLowerCase(),
  },
  trim: {
    signature: '$trim(text)',
    description: 'Without spaces at both ends; repeated spaces inside become one.',
    parameters: ['text'],
    required: 1,
    contextual: true,
    call: ([text]) =>
      (text as string)
        .replaceAll(/[ \t\n\r]+/g, ' ')
        .replace(/^ /, '')
        .replace(/ $/, ''),
  },
  pad: {
    signature: '$pad(text, width, character?)',
    description: 'Padded to `width` on the right, or on the left if `width` is negative.',
    parameters: ['text', 'number', 'text'],
    required: 2,
    contextual: true,
    mayBeNothing: [1],
    call: ([text, width, character]) =>
      width === undefined ? text : pad(text as string, width as number, character as string | undefined),
  },
  contains: {
    signature: '$contains(text, part)',
    description: 'Whether the text contains `part`.',
    parameters: ['text', 'text'],
    required: 2,
    contextual: true,
    mayBeNothing: [1],
    call: ([text, part]) => (part === undefined ? undefined : (text as string).includes(part as string)),
  },
  replace: {
    signature: '$replace(text, part, replacement, limit?)',
    description: 'The text with every `part` replaced, or only the first `limit`.',
    parameters: ['text', 'text', 'text', 'number'],
    required: 3,
    contextual: true,
    call: ([text, part, replacement, limit]) =>
      replace(text as string, part as string, replacement as string, limit as number | undefined),
  },
  split: {
    signature: '$split(text, separator, limit?)',
    description: 'The parts between separators as a list.',
    parameters: ['text', 'text', 'number'],
    required: 2,
    contextual: true,
    call: ([text, separator, limit], machine) => {
      if (typeof limit === 'number' && limit < 0) throw new ExpressionError(msg('split_limit_negative'))
      const parts = (text as string).split(
        separator as string,
        limit === undefined ? undefined : Math.floor(limit as number),
      )
      checkItemCount(parts.length)
      machine.spend(parts.length)
      return parts
    },
  },
  join: {
    signature: '$join(texts, separator?)',
    description: 'A list of texts joined into one.',
    parameters: ['texts', 'text'],
    required: 1,
    contextual: false,
    call: ([texts, separator], machine) => {
      const between = (separator as string | undefined) ?? ''
      const list = texts as string[]
      machine.spend(list.length)
      checkTextLength(list.reduce((sum, { length }) => sum + length + between.length, -between.length))
      return list.join(between)
    },
  },
  encodeUrlComponent: {
    signature: '$encodeUrlComponent(text)',
    description: 'The text encoded for use in a URL.',
    parameters: ['text'],
    required: 1,
    contextual: true,
    call: ([text]) => {
      try {
        const encoded = encodeURIComponent(text as string)
        checkTextLength(encoded.length)
        return encoded
      } catch (error) {
        if (error instanceof ExpressionError) throw error
        throw new ExpressionError(msg('half_of_character'))
      }
    },
  },
}

/** A character outside the Basic Multilingual Plane counts once. */
function characters(text: string): number {
  return text.length - (text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0)
}

function substring(text: string, start: number, length: number | undefined): string {
  const all = Array.from(text)
  const from = all.length + start < 0 ? 0 : start
  if (length === undefined) return all.slice(from).join('')
  if (length <= 0) return ''
  return all.slice(from, from >= 0 ? from + length : all.length + from + length).join('')
}

function pad(text: string, width: number, character: string | undefined): string {
  const missing = Math.abs(Math.trunc(width)) - characters(text)
  if (missing <= 0) return text
  checkTextLength(text.length + missing)
  const filler = character === undefined || character === '' ? ' ' : character
  const one = Array.from(filler)
  const padding = filler.repeat(Math.floor(missing / one.length)) + one.slice(0, missing % one.length).join('')
  return width > 0 ? text + padding : padding + text
}

function replace(text: string, part: string, replacement: string, limit: number | undefined): string {
  if (part === '') throw new ExpressionError(msg('replace_of_empty'))
  if (limit !== undefined && limit < 0) throw new ExpressionError(msg('replace_limit_negative'))
  const parts = text.split(part)
  const replaced = Math.min(parts.length - 1, limit === undefined ? parts.length : Math.ceil(limit))
  checkTextLength(text.length + replaced * replacement.length)
  const head = parts.slice(0, replaced + 1).join(replacement)
  return replaced === parts.length - 1 ? head : [head, ...parts.slice(replaced + 1)].join(part)
}
