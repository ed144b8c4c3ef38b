import jsonata from 'jsonata'
import { suggest } from '../nearest.ts'
import { checkExpression } from './check-expression.ts'
import { functionNames } from './functions.ts'
import { convertNode, ForbiddenNode, type RawNode } from './convert-node.ts'
import type { Expression, ExpressionProblem } from './expression.types.ts'
import { msg } from '../messages.ts'

export const MAX_EXPRESSION_LENGTH = 2_000
export const MAX_NESTING = 32
/** Each of these makes JSONata's parser copy what stands before it, so a chain of them costs twice as much a link. */
export const MAX_COALESCINGS = 8

export type ParsedExpression = { ok: true; expression: Expression } | { ok: false; problem: ExpressionProblem }

/** Text between `${{` and `}}` → tree. Never throws. */
export function parseExpression(text: string): ParsedExpression {
  const simple = parseNamePath(text)
  if (simple) return { ok: true, expression: simple }
  const refused = refuseUnparsed(text)
  if (refused) return { ok: false, problem: refused }
  let ast: RawNode
  try {
    // The published types leave out half of what the parser gives; `convertNode` checks every part it reads.
    ast = jsonata(text).ast() as unknown as RawNode
  } catch (error) {
    return { ok: false, problem: syntaxProblem(text, error) }
  }
  try {
    const expression = convertNode(ast, text)
    const problem = checkExpression(expression)
    return problem ? { ok: false, problem } : { ok: true, expression }
  } catch (error) {
    if (!(error instanceof ForbiddenNode)) throw error
    return { ok: false, problem: forbiddenProblem(text, error) }
  }
}

/** Words that mean something else to JSONata when they stand alone or begin an operand. */
const keywords = new Set(['and', 'or', 'in', 'true', 'false', 'null'])

/** `args.day` and the like, which most expressions are, without starting the parser. */
function parseNamePath(text: string): Expression | null {
  if (!/^\s*[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*\s*$/.test(text)) return null
  const names = [...text.matchAll(/[A-Za-z0-9_]+/g)]
  if (names.length > MAX_NESTING || names.some(({ 0: name }) => keywords.has(name))) return null
  return {
    kind: 'path',
    steps: names.map(({ 0: name, index }) => ({
      expression: { kind: 'name', name, start: index, end: index + name.length },
      predicates: [],
    })),
    keepList: false,
  }
}

function refuseUnparsed(text: string): ExpressionProblem | null {
  const whole = { start: 0, end: text.length }
  if (text.trim() === '') {
    return { code: 'expression_syntax', message: msg('expression_empty'), hint: msg('write_args_day'), ...whole }
  }
  if (text.length > MAX_EXPRESSION_LENGTH) {
    return {
      code: 'expression_syntax',
      message: msg('expression_too_long', { limit: MAX_EXPRESSION_LENGTH }),
      hint: msg('move_into_step'),
      ...whole,
    }
  }
  let depth = 0
  let coalescings = 0
  for (const { 0: token, index } of text.matchAll(
    /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|\/\*.*?\*\/|\?\?|\?:|[([{]|[)\]}]/gs,
  )) {
    if (token === '(' || token === '[' || token === '{') depth++
    else if (token === ')' || token === ']' || token === '}') depth--
    else if (token === '??' || token === '?:') coalescings++
    if (depth > MAX_NESTING || coalescings > MAX_COALESCINGS) {
      return {
        code: 'expression_syntax',
        message:
          depth > MAX_NESTING
            ? msg('expression_too_deep', { limit: MAX_NESTING })
            : msg('too_many_coalescings', { limit: MAX_COALESCINGS }),
        hint: msg('simplify_or_move'),
        start: index,
        end: index + token.length,
      }
    }
  }
  return null
}

/** What JSONata's parser threw, as a finding with its place in the text. */
export function syntaxProblem(text: string, error: unknown): ExpressionProblem {
  // The parser throws objects of its own ({code, position, token, message}), and RangeError on a stack it has exhausted.
  const { message, position, token } = error as { message?: unknown; position?: unknown; token?: unknown }
  const end = typeof position === 'number' ? Math.min(Math.max(position, 1), text.length) : text.length
  const foreign = foreignOperator(text)
  if (foreign && foreign.start < end) return foreign
  const width = typeof token === 'string' && token !== '(end)' ? Math.min(token.length, end) : 1
  return {
    code: 'expression_syntax',
    message:
      typeof message === 'string'
        ? msg('expression_unreadable', { message: message.trim().replace(/\.$/, '') })
        : msg('expression_unreadable_syntax'),
    hint: msg('expression_grammar'),
    start: Math.max(0, end - width),
    end,
  }
}

/** Operators of other languages, and what is written here. */
const foreignOperators: Readonly<Record<string, string>> = {
  '===': '=',
  '==': '=',
  '!==': '!=',
  '<>': '!=',
  '&&': 'and',
  '||': 'or',
  '!': '$not(…)',
}

/** The first one that stands outside of quotes, names in backticks, comments and regular expressions. */
function foreignOperator(text: string): ExpressionProblem | null {
  const tokens = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|\/\*.*?\*\/|===|!==|!=|==|<>|&&|\|\||!/gs
  for (const { 0: token, index } of text.matchAll(tokens)) {
    const instead = Object.hasOwn(foreignOperators, token) ? foreignOperators[token] : undefined
    if (instead === undefined) continue
    return {
      code: 'expression_syntax',
      message: msg('foreign_operator', { operator: token }),
      hint: msg('use_instead', { instead }),
      start: index,
      end: index + token.length,
    }
  }
  return null
}

function forbiddenProblem(text: string, error: ForbiddenNode): ExpressionProblem {
  const at = { start: Math.max(0, Math.min(error.start, text.length - 1)), end: Math.min(error.end, text.length) }
  if (error.functionName !== null) {
    return {
      code: 'unknown_function',
      message: msg('unknown_function', { name: error.functionName }),
      hint: suggest(
        `$${error.functionName}`,
        functionNames.map((name) => `$${name}`),
        'functions',
      ),
      ...at,
    }
  }
  return {
    code: 'expression_forbidden',
    message: msg('expression_forbidden', { what: error.what }),
    hint: msg('what_expressions_contain'),
    ...at,
  }
}
