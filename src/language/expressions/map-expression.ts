import jsonata from 'jsonata'
import type { RawNode } from './convert-node.ts'
import type { ExpressionProblem } from './expression.types.ts'
import { syntaxProblem } from './parse-expression.ts'
import { msg } from '../messages.ts'

/** The full JSONata of `map` steps, as far as its text alone tells. It is never evaluated here. */

export const MAX_MAP_LENGTH = 20_000
const MAX_NESTING = 100
/** Each link of such a chain makes JSONata's parser do its work twice. */
const MAX_COALESCINGS = 8

/** A column of the result. */
export interface MapColumn {
  name: string
  /** The column of the row whose value it is, unchanged; null: something computed. */
  from: string | null
  /** What its values are in any row, as far as the text alone tells; null: they tell. */
  type: MapType | null
}
export type MapType = 'string' | 'boolean' | 'integer' | 'number' | 'json'

/** Columns that the rows of a `map` have; a row may lack some of them. */
export interface MapShape {
  /** The row's own columns come first: `$merge([$, {…}])`. */
  spread: boolean
  columns: MapColumn[]
}

export type ParsedMap =
  /** `shape` is null where only the values tell. */
  { ok: true; shape: MapShape | null } | { ok: false; problem: ExpressionProblem }

/** Never throws. */
export function parseMapExpression(text: string): ParsedMap {
  const refused = refuseUnparsed(text)
  if (refused) return { ok: false, problem: refused }
  try {
    // The published types leave out half of what the parser gives; what is read here is checked where it is read.
    return { ok: true, shape: shapeOf(jsonata(text).ast() as unknown as RawNode) }
  } catch (error) {
    return { ok: false, problem: syntaxProblem(text, error) }
  }
}

function refuseUnparsed(text: string): ExpressionProblem | null {
  const code = 'expression_syntax'
  if (text.length > MAX_MAP_LENGTH) {
    return {
      code,
      message: msg('expression_too_long', { limit: MAX_MAP_LENGTH.toLocaleString('en') }),
      hint: msg('split_into_maps'),
      start: 0,
      end: text.length,
    }
  }
  // Of every open bracket: the longest chain so far, and the one under way.
  const open = [{ longest: 0, current: 0 }]
  const tokens = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|\/\*.*?\*\/|\?\?|\?:|[([{]|[)\]}]|[,;]/gs
  for (const { 0: token, index } of text.matchAll(tokens)) {
    const top = open.at(-1)
    if (!top) break
    if (token === '??' || token === '?:') top.current++
    else if (token === ',' || token === ';') Object.assign(top, { longest: longestOf(top), current: 0 })
    else if (token === '(' || token === '[' || token === '{') open.push({ longest: 0, current: 0 })
    else if ((token === ')' || token === ']' || token === '}') && open.length > 1) {
      open.pop()
      const outer = open.at(-1)
      if (outer) outer.current += longestOf(top)
    }
    const deep = open.length > MAX_NESTING
    if (!deep && (open.at(-1)?.current ?? 0) <= MAX_COALESCINGS) continue
    return {
      code,
      message: deep
        ? msg('expression_too_deep', { limit: MAX_NESTING })
        : msg('too_many_chained_coalescings', { limit: MAX_COALESCINGS }),
      hint: msg('simplify_or_split'),
      start: index,
      end: index + token.length,
    }
  }
  return null
}

function longestOf({ longest, current }: { longest: number; current: number }): number {
  return Math.max(longest, current)
}

/** Follows an expression to the objects that it makes; `atRow`: names in it are those of the row. */
function shapeOf(node: RawNode, atRow = true): MapShape | null {
  if (node.group !== undefined || node.focus !== undefined || node.index !== undefined) return null
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- of every other node the shape shows only when it runs
  switch (node.type) {
    case 'variable':
      return node.value === '' && atRow ? { spread: true, columns: [] } : null
    case 'unary':
      if (node.value === '{') return objectShape(node, atRow)
      return node.value === '[' ? sameOf(node.expressions ?? [], atRow) : null
    case 'block': {
      const last = node.expressions?.at(-1)
      return last ? shapeOf(last, atRow) : null
    }
    case 'condition':
      // Without `else`, or with null, a row is dropped: what is kept looks the same.
      return sameOf(branchesOf(node), atRow)
    case 'path': {
      const last = node.steps?.at(-1)
      return last && last.type !== 'variable' ? shapeOf(last, false) : null
    }
    case 'function':
      return mergeShape(node, atRow)
    default:
      return null
  }
}

function objectShape({ lhs }: RawNode, atRow: boolean): MapShape | null {
  if (!Array.isArray(lhs)) return null
  const columns: MapColumn[] = []
  for (const [key, value] of lhs) {
    if (key.type !== 'string' || typeof key.value !== 'string' || key.value === '') return null
    columns.push({ name: key.value, from: atRow ? passedOn(value) : null, type: typeOf(value) })
  }
  return { spread: false, columns }
}

function bothOf(one: MapColumn, other: MapColumn): MapColumn {
  return {
    name: one.name,
    from: one.from === other.from ? one.from : null,
    type: one.type === other.type ? one.type : null,
  }
}

/** Those that give something. */
function branchesOf(node: RawNode): RawNode[] {
  return [node.then, node.else].flatMap((branch) =>
    branch === undefined || (branch.type === 'value' && branch.value === null) ? [] : [branch],
  )
}

/** What operators and functions give, whatever they are given. Those that are not here give what they find. */
const typesOfFunctions: Record<string, MapType> = Object.fromEntries(
  [
    [
      'string',
      'string substring substringBefore substringAfter lowercase uppercase trim pad join replace formatNumber formatBase',
    ],
    [
      'string',
      'formatInteger base64encode base64decode encodeUrl encodeUrlComponent decodeUrl decodeUrlComponent now fromMillis type',
    ],
    ['boolean', 'contains boolean not exists'],
    ['number', 'number abs power sqrt sum max min average round random'],
    ['integer', 'count length floor ceil toMillis millis parseInteger'],
    ['json', 'split keys'],
  ].flatMap(([type = '', names = '']) => names.split(' ').map((name) => [name, type])),
) as Record<string, MapType> // as written above
const typesOfOperators: Record<string, MapType> = Object.fromEntries(
  [
    ['string', '&'],
    ['boolean', '= != < <= > >= and or in'],
    ['number', '+ - * / %'],
  ].flatMap(([type = '', operators = '']) => operators.split(' ').map((operator) => [operator, type])),
) as Record<string, MapType> // as written above

function typeOf(node: RawNode): MapType | null {
  if (node.group !== undefined || node.focus !== undefined || node.index !== undefined) return null
  if (node.predicate !== undefined || node.stages !== undefined) return null
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- of every other node the values tell
  switch (node.type) {
    case 'string':
      return 'string'
    case 'number':
      return Number.isSafeInteger(node.value) ? 'integer' : 'number'
    case 'value':
      return typeof node.value === 'boolean' ? 'boolean' : null
    case 'binary':
      return typesOfOperators[String(node.value)] ?? null
    case 'unary':
      return node.value === '{' || node.value === '[' ? 'json' : node.value === '-' ? 'number' : null
    case 'block': {
      const last = node.expressions?.at(-1)
      return last ? typeOf(last) : null
    }
    case 'condition': {
      const [first, ...others] = branchesOf(node).map(typeOf)
      return first !== undefined && others.every((other) => other === first) ? first : null
    }
    case 'function': {
      const name = node.procedure?.type === 'variable' ? String(node.procedure.value) : ''
      return Object.hasOwn(typesOfFunctions, name) ? (typesOfFunctions[name] ?? null) : null
    }
    default:
      return null
  }
}

/** `id`, or `$.id`. */
function passedOn(node: RawNode): string | null {
  if (node.type !== 'path' || node.group !== undefined || node.keepSingletonArray) return null
  const steps = node.steps ?? []
  const name = steps.at(-1)
  const plain = steps.every((step) => step.stages === undefined && step.focus === undefined && step.index === undefined)
  if (!plain || name?.type !== 'name' || typeof name.value !== 'string') return null
  const [first] = steps
  if (steps.length === 1) return name.value
  return steps.length === 2 && first?.type === 'variable' && first.value === '' ? name.value : null
}

/** Several that may each be a row: together they have the columns of all. */
function sameOf(nodes: RawNode[], atRow: boolean): MapShape | null {
  const shapes = nodes.map((node) => shapeOf(node, atRow))
  const [first] = shapes
  if (!first) return null
  const columns = new Map<string, MapColumn>()
  for (const shape of shapes) {
    if (shape?.spread !== first.spread) return null
    for (const column of shape.columns) {
      const before = columns.get(column.name)
      columns.set(column.name, before ? bothOf(before, column) : column)
    }
  }
  // A column of one branch alone is not there in the others, or is the row's own column of that name.
  const everywhere = (column: MapColumn): boolean =>
    shapes.every((shape) => shape?.columns.some((other) => other.name === column.name))
  return {
    spread: first.spread,
    columns: [...columns.values()].map((column) =>
      !everywhere(column) && (!first.spread || column.from !== column.name)
        ? { ...column, from: null, type: null }
        : column,
    ),
  }
}

function mergeShape({ procedure, arguments: given }: RawNode, atRow: boolean): MapShape | null {
  const [list, more] = given ?? []
  if (procedure?.type !== 'variable' || procedure.value !== 'merge' || more !== undefined) return null
  if (list?.type !== 'unary' || list.value !== '[') return null
  const merged: MapShape = { spread: false, columns: [] }
  for (const [index, item] of (list.expressions ?? []).entries()) {
    const shape = shapeOf(item, atRow)
    if (!shape || (shape.spread && index > 0)) return null
    merged.spread ||= shape.spread
    for (const column of shape.columns) {
      const at = merged.columns.findIndex((other) => other.name === column.name)
      if (at === -1) merged.columns.push(column)
      else merged.columns[at] = column
    }
  }
  return merged
}
