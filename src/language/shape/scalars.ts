import { shortened } from '../shortened.ts'
import { hasExpression } from '../expressions/template.ts'
import { nearest } from '../nearest.ts'
import { parseDuration } from '../schedule/duration.ts'
import type { YamlNode } from '../yaml/yaml-tree.ts'
import { checkBareBraces, checkTemplate } from './check-template.ts'
import { locateInScalar } from './locate.ts'
import { checkExact, nameOf, reportType, warnAmbiguous } from './report-value.ts'
import type { Describe, ReadContext, Shape } from './shape.types.ts'
import type { Message } from '../message.ts'
import { msg } from '../messages.ts'
import type { Finding } from '../diagnostic-collector.ts'

/** What is wrong with a text, without its place. */
export type TextProblem = Pick<Finding, 'code' | 'message' | 'hint'>

export interface TextOptions extends Describe<string> {
  /** Expressions may stand in it. */
  template?: boolean
  minLength?: number
  maxLength?: number
  /** What else must hold, on literal text: a finding without place, or null. */
  check?: (value: string) => TextProblem | null
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
      if (node.kind !== 'scalar' || typeof node.value !== 'string') return reportType(node, path, context, msg('text'))
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
      ? msg('value_empty', { name: nameOf(path) })
      : value.length > maxLength
        ? msg('too_many_characters', { name: nameOf(path), count: value.length, max: maxLength })
        : msg('too_few_characters', { name: nameOf(path), count: value.length, min: minLength }),
    hint: empty ? msg('write_text') : value.length > maxLength ? msg('shorten') : msg('lengthen'),
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
    message: msg('no_expression_here', { name: nameOf(path) }),
    hint: msg('write_literal'),
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
    check(value): TextProblem | null {
      /* oxlint-disable-next-line no-control-regex -- control characters are what it looks for */
      if (/[\u0000-\u001f\u007f-\u009f]/.test(value)) {
        return {
          code: 'invalid_value',
          message: msg('name_not_one_line'),
          hint: msg('write_on_one_line'),
        }
      }
      if (value !== value.trim())
        return { code: 'invalid_value', message: msg('name_with_outer_blank'), hint: msg('remove_it') }
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
  const wanted = integer ? msg('a_whole_number') : msg('a_number')
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
      const bounds = boundsOf(min, max, aboveMin)
      context.report({
        code: 'out_of_range',
        message: msg('out_of_range', { name: nameOf(path), value, bounds }),
        hint: msg('choose_within', { wanted, bounds }),
        path,
        at: node.mark,
      })
      return undefined
    },
  }
}

function boundsOf(min: number, max: number, aboveMin: boolean): Message {
  if (max === Infinity) return msg(aboveMin ? 'more_than' : 'at_least', { min })
  if (min === -Infinity) return msg('at_most', { max })
  return msg(aboveMin ? 'more_than_and_at_most' : 'at_least_and_at_most', { min, max })
}

function reportFraction(node: YamlNode, value: number, path: string, context: ReadContext): undefined {
  context.report({
    code: 'wrong_type',
    message: msg('not_whole', { name: nameOf(path), value }),
    hint: msg('remove_fraction'),
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
      return reportType(node, path, context, msg('true_or_false'))
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
      if (node.kind !== 'scalar') return reportType(node, path, context, msg('one_of', { choices: values }))
      const written = context.text.slice(node.start, node.end)
      // YAML reads a bare `null` or `true` as no text, but where it is one of the choices the word is meant.
      const value = typeof node.value === 'string' ? node.value : written
      const found = values.find((candidate) => candidate === value)
      if (found !== undefined) return found
      if (node.value === null) return reportType(node, path, context, msg('one_of', { choices: values }))
      // One character is as near to any other.
      const near = value.length > 1 ? nearest(value, values) : null
      context.report({
        code: 'not_one_of',
        message: msg('not_a_choice', { name: nameOf(path), value: shortened(value, 60), values }),
        hint: near === null ? msg('write_one_of', { values }) : msg('did_you_mean', { near }),
        path,
        at: node.mark,
      })
      return undefined
    },
  }
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
            ? msg('not_a_duration', { name: nameOf(path) })
            : msg('duration_too_short', { name: nameOf(path), min: options.min }),
        hint: number === null ? msg('write_duration') : msg('add_unit', { number }),
        path,
        at: node.mark,
      })
      return undefined
    },
  }
}
