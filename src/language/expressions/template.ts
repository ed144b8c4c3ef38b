import type { Json } from '../task/task.types.ts'
import { evaluateExpression, type ScopeValues } from './evaluate.ts'
import type { Expression, ExpressionProblem } from './expression.types.ts'
import { DEFAULT_STEP_BUDGET, ExpressionError, createMachine, toText } from './machine.ts'
import { parseExpression } from './parse-expression.ts'
import { msg } from '../messages.ts'
import type { Message } from '../message.ts'

/**
 * Text with expressions in it. `${{ … }}` is an expression, `$${{` stands for the characters `${{`. A text that is one
 * expression and nothing else keeps the expression's type; an embedded one becomes text.
 */
export type TemplatePart =
  | { kind: 'text'; text: string }
  /** `start`/`end`: the whole `${{ … }}`; `offset`: where the text inside begins. */
  | { kind: 'expression'; text: string; start: number; end: number; offset: number }

export type SplitTemplate = { ok: true; parts: TemplatePart[] } | { ok: false; unclosedAt: number }

export function hasExpression(text: string): boolean {
  return text.includes('${{')
}

/** Linear in the text. */
export function splitTemplate(text: string): SplitTemplate {
  const parts: TemplatePart[] = []
  let literal = ''
  let at = 0
  for (;;) {
    const open = text.indexOf('${{', at)
    if (open === -1) break
    if (open > at && text[open - 1] === '$') {
      // The escape: one `$` goes, the rest stays.
      literal += `${text.slice(at, open - 1)}\${{`
      at = open + 3
      continue
    }
    const close = findClose(text, open + 3)
    if (close === -1) return { ok: false, unclosedAt: open }
    literal += text.slice(at, open)
    if (literal !== '') parts.push({ kind: 'text', text: literal })
    literal = ''
    parts.push({ kind: 'expression', text: text.slice(open + 3, close), start: open, end: close + 2, offset: open + 3 })
    at = close + 2
  }
  literal += text.slice(at)
  if (literal !== '' || parts.length === 0) parts.push({ kind: 'text', text: literal })
  return { ok: true, parts }
}

/** Offset of the `}}` that ends the expression: outside quotes, comments and the braces of object constructors. */
function findClose(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const character = text[at]
    if (character === '"' || character === "'" || character === '`') {
      at = skipQuoted(text, at)
      if (at === -1) return -1
    } else if (character === '/' && text[at + 1] === '*') {
      const close = text.indexOf('*/', at + 2)
      if (close === -1) return -1
      at = close + 1
    } else if (character === '{') depth++
    else if (character === '}') {
      if (depth === 0) return text[at + 1] === '}' ? at : -1
      depth--
    }
  }
  return -1
}

function skipQuoted(text: string, from: number): number {
  const quote = text[from]
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\' && quote !== '`') at++
    else if (text[at] === quote) return at
  }
  return -1
}

/** A literal text as a template that evaluates to it. */
export function escapeTemplate(text: string): string {
  return text.replaceAll('${{', () => '$${{')
}

/** The text is one expression and nothing else, so that its value keeps its type. */
export function isOneExpression(text: string): boolean {
  const compiled = hasExpression(text) ? compileTemplate(text) : null
  return compiled?.ok === true && compiled.parts.length === 1 && !('text' in compiled.parts[0]!) // the only one
}

export type CompiledTemplate =
  /** `offset`: where the expression begins; the places in it are relative to that. */
  | { ok: true; parts: ({ text: string } | { expression: Expression; source: string; offset: number })[] }
  | {
      ok: false
      problem: ExpressionProblem | (Omit<ExpressionProblem, 'code'> & { code: 'expression_unclosed' })
    }

/** Splits and parses; offsets of problems are within `text`. */
export function compileTemplate(text: string): CompiledTemplate {
  const split = splitTemplate(text)
  if (!split.ok) {
    return {
      ok: false,
      problem: {
        code: 'expression_unclosed',
        message: msg('expression_unclosed'),
        hint: msg('write_expression_or_escape'),
        start: split.unclosedAt,
        end: split.unclosedAt + 3,
      },
    }
  }
  const parts: Extract<CompiledTemplate, { ok: true }>['parts'] = []
  for (const part of split.parts) {
    if (part.kind === 'text') {
      parts.push({ text: part.text })
      continue
    }
    const parsed = parseExpression(part.text)
    if (!parsed.ok) {
      const { problem } = parsed
      return { ok: false, problem: { ...problem, start: part.offset + problem.start, end: part.offset + problem.end } }
    }
    parts.push({ expression: parsed.expression, source: part.text.trim(), offset: part.offset })
  }
  return { ok: true, parts }
}

const LEAST_BUDGET = 50

/** The server evaluates the expressions of a value while nothing else moves: many of them have fewer steps each. */
export function budgetOfEach(value: unknown): number {
  const expressions = JSON.stringify(value).split('${{').length - 1
  return Math.max(LEAST_BUDGET, Math.floor(DEFAULT_STEP_BUDGET / Math.max(1, expressions)))
}

export type TemplateResult = { ok: true; value: Json | undefined } | { ok: false; problem: Message }

/** Never throws. `undefined` only for a text that is one expression leading nowhere. */
export function evaluateTemplate(
  text: string,
  scope: ScopeValues,
  now: string | null,
  budget?: number,
): TemplateResult {
  if (!hasExpression(text)) return { ok: true, value: text }
  const compiled = compileTemplate(text)
  if (!compiled.ok) return { ok: false, problem: compiled.problem.message }
  const { parts } = compiled
  let result = ''
  for (const part of parts) {
    if ('text' in part) {
      result += part.text
      continue
    }
    const evaluated = evaluateExpression(part.expression, scope, { now, ...(budget === undefined ? {} : { budget }) })
    if (!evaluated.ok)
      return {
        ok: false,
        problem: msg('expression_failed', { expression: part.source, problem: evaluated.problem }),
      }
    if (parts.length === 1) return evaluated
    if (evaluated.value === undefined || evaluated.value === null) {
      return {
        ok: false,
        problem: msg('expression_nothing_in_text', {
          expression: part.source,
          value: msg(evaluated.value === null ? 'null' : 'nothing'),
        }),
      }
    }
    const embedded = asText(evaluated.value)
    if (!embedded.ok) return embedded
    result += embedded.value
  }
  return { ok: true, value: result }
}

function asText(value: Json): { ok: true; value: string } | { ok: false; problem: Message } {
  try {
    return { ok: true, value: toText(value, createMachine(Infinity, null)) }
  } catch (error) {
    if (error instanceof ExpressionError)
      return { ok: false, problem: msg('expression_not_text', { problem: error.reason }) }
    throw error
  }
}
