import { hasExpression } from '../expressions/template.ts'
import { nearest } from '../nearest.ts'
import { parseDuration } from '../schedule/duration.ts'
import type { YamlNode } from '../yaml/yaml-tree.ts'
import { checkBareBraces, checkTemplate } from './check-template.ts'
import { locateInScalar } from './locate.ts'
import { checkExact, nameOf, reportType, warnAmbiguous } from './report-value.ts'
import type { Describe, ReadContext, Shape } from './shape.types.ts'

export interface TextOptions extends Describe<string> {
  /** Expressions may stand in it. */
  template?: boolean
  minLength?: number
  maxLength?: number
  /** What else must hold, on literal text: a finding without place, or null. */
  check?: (value: string) => { code: 'invalid_value' | 'path_outside'; message: string; hint: string } | null
  default?: string
}

export function text(options: TextOptions): Shape<string> {
  const { description, examples, template, minLength = 1, maxLength = 10_000 } = options
  return {
    schema: {
      type: 'string',
      description,
      minLength,
      maxLength,
      ...(examples ? { examples } : {}),
      ...(template ? { 'x-template': true } : {}),
    },
    read(node, path, context) {
      if (node.kind !== 'scalar' || typeof node.value !== 'string') return reportType(node, path, context, 'text')
      const { value } = node
      if (!checkLength(node, value, path, context, minLength, maxLength)) return undefined
      if (template ? !checkTemplate(node, value, path, context) : !refuseTemplate(node, path, context)) return undefined
      const problem = hasExpression(value) ? null : (options.check?.(value) ?? null)
      if (!problem) return value
      context.report({ ...problem, path, at: node.mark })
      return undefined
    },
  }
}

function checkLength(
  node: YamlNode,
  value: string,
  path: string,
  context: ReadContext,
  minLength: number,
  maxLength: number,
): boolean {
  if (value.length >= minLength && value.length <= maxLength && (minLength === 0 || value.trim() !== '')) return true
  const empty = value.trim() === ''
  context.report({
    code: 'wrong_length',
    message: empty
      ? `${nameOf(path)} is empty.`
      : `${nameOf(path)} has ${value.length} characters; ${value.length > maxLength ? `at most ${maxLength}` : `at least ${minLength}`} are allowed.`,
    hint: empty ? 'Write a text.' : value.length > maxLength ? 'Make it shorter.' : 'Make it longer.',
    path,
    at: node.mark,
  })
  return false
}

/** Reports expressions where only literals are read. true: there are none. */
export function refuseTemplate(node: YamlNode, path: string, context: ReadContext): boolean {
  if (node.kind !== 'scalar' || typeof node.value !== 'string') return true
  const at = node.value.indexOf('${{')
  if (at === -1) return checkBareBraces(node, node.value, path, context)
  context.report({
    code: 'expression_not_allowed',
    message: `${nameOf(path)} is read before a run starts, so it cannot hold an expression.`,
    hint: 'Write the value itself.',
    path,
    at: locateInScalar(context.text, node, at, at + 3),
  })
  return false
}

/** The name of a document: one line, as the REST interface takes it. */
export function nameText(options: Describe<string>): Shape<string> {
  return text({
    ...options,
    maxLength: 200,
    check(value) {
      /* oxlint-disable-next-line no-control-regex -- control characters are what it looks for */
      if (/[\u0000-\u001f\u007f-\u009f]/.test(value)) {
        return {
          code: 'invalid_value',
          message: 'The name holds a line end or another control character.',
          hint: 'Write it on one line.',
        }
      }
      if (value !== value.trim())
        return { code: 'invalid_value', message: 'The name starts or ends with a blank.', hint: 'Remove it.' }
      return null
    },
  })
}

export interface NumberOptions extends Describe<number> {
  integer?: boolean
  min?: number
  max?: number
  /** The smallest value is not allowed itself. */
  aboveMin?: boolean
}

export function number(options: NumberOptions): Shape<number> {
  const { description, examples, integer = false, min = -Infinity, max = Infinity, aboveMin = false } = options
  const wanted = integer ? 'a whole number' : 'a number'
  return {
    schema: {
      type: integer ? 'integer' : 'number',
      description,
      ...(examples ? { examples } : {}),
      ...(min === -Infinity ? {} : aboveMin ? { exclusiveMinimum: min } : { minimum: min }),
      ...(max === Infinity ? {} : { maximum: max }),
    },
    read(node, path, context) {
      if (!refuseTemplate(node, path, context)) return undefined
      if (node.kind !== 'scalar' || typeof node.value !== 'number') return reportType(node, path, context, wanted)
      if (!checkExact(node, path, context)) return undefined
      const { value } = node
      if (integer && !Number.isInteger(value)) return reportFraction(node, value, path, context)
      warnAmbiguous(node, path, context)
      if (value >= min && value <= max && !(aboveMin && value === min)) return value
      const bounds = [
        ...(min === -Infinity ? [] : [aboveMin ? `more than ${min}` : `at least ${min}`]),
        ...(max === Infinity ? [] : [`at most ${max}`]),
      ].join(' and ')
      context.report({
        code: 'out_of_range',
        message: `${nameOf(path)} is ${value}; it must be ${bounds}.`,
        hint: `Choose ${wanted}, ${bounds}.`,
        path,
        at: node.mark,
      })
      return undefined
    },
  }
}

function reportFraction(node: YamlNode, value: number, path: string, context: ReadContext): undefined {
  context.report({
    code: 'wrong_type',
    message: `${nameOf(path)} must be a whole number, not ${value}.`,
    hint: 'Remove what follows the point.',
    path,
    at: node.mark,
  })
}

export function flag(options: Describe<boolean>): Shape<boolean> {
  return {
    schema: { type: 'boolean', ...options },
    read(node, path, context) {
      if (!refuseTemplate(node, path, context)) return undefined
      if (node.kind === 'scalar' && typeof node.value === 'boolean') return node.value
      return reportType(node, path, context, 'true or false')
    },
  }
}

/** One of a few words. `options` says what each means. */
export function choice<const T extends string>(description: string, options: Record<T, string>): Shape<T> {
  // Object.keys of a record of T gives exactly the T.
  const values = Object.keys(options) as T[]
  return {
    schema: { enum: values, description, 'x-enum-descriptions': values.map((value) => options[value]) },
    read(node, path, context) {
      if (!refuseTemplate(node, path, context)) return undefined
      if (node.kind !== 'scalar') return reportType(node, path, context, `one of ${list(values)}`)
      const written = context.text.slice(node.start, node.end)
      // YAML reads a bare `null` or `true` as no text, but where it is one of the choices the word is meant.
      const value = typeof node.value === 'string' ? node.value : written
      const found = values.find((candidate) => candidate === value)
      if (found !== undefined) return found
      if (node.value === null) return reportType(node, path, context, `one of ${list(values)}`)
      // One character is as near to any other.
      const near = value.length > 1 ? nearest(value, values) : null
      context.report({
        code: 'not_one_of',
        message: `${nameOf(path)} cannot be \`${shorten(value)}\`; it is one of ${list(values)}.`,
        hint: near === null ? `Write one of ${list(values)}.` : `Did you mean \`${near}\`?`,
        path,
        at: node.mark,
      })
      return undefined
    },
  }
}

export function list(words: readonly string[]): string {
  return words.map((entry) => `\`${entry}\``).join(', ')
}

function shorten(value: string): string {
  return value.length > 60 ? `${value.slice(0, 57)}…` : value
}

/** A length of time, read as milliseconds. */
export function duration(options: Describe<string> & { min: number }): Shape<number> {
  return {
    schema: {
      type: 'string',
      description: options.description,
      examples: options.examples ?? ['10s', '5m', '2h', 'PT1H30M'],
    },
    read(node, path, context) {
      if (!refuseTemplate(node, path, context)) return undefined
      const milliseconds = node.kind === 'scalar' && typeof node.value === 'string' ? parseDuration(node.value) : null
      if (milliseconds !== null && milliseconds >= options.min) return milliseconds
      const number = node.kind === 'scalar' && typeof node.value === 'number' ? node.value : null
      context.report({
        code: milliseconds === null ? 'invalid_value' : 'out_of_range',
        message:
          milliseconds === null
            ? `${nameOf(path)} must be a length of time.`
            : `${nameOf(path)} is too short; it must be at least ${options.min} ms.`,
        hint:
          number === null
            ? 'Write e.g. `500ms`, `10s`, `5m`, `2h`, `1d` or `PT1H30M`.'
            : `Add a unit, e.g. \`${number}s\`.`,
        path,
        at: node.mark,
      })
      return undefined
    },
  }
}
