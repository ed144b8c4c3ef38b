import type { FunctionDefinition, ParameterType } from './function.types.ts'
import { listFunctions } from './list-functions.ts'
import { ExpressionError, isRecord, typeName, type Machine, type Value } from './machine.ts'
import { numberFunctions } from './number-functions.ts'
import { textFunctions } from './text-functions.ts'
import { readPicture } from './time-picture.ts'
import { timeFunctions } from './time-functions.ts'
import { msg } from '../messages.ts'

/** The functions in the order of the documentation: pure, without lambdas, bounded in what they make. */
export const functionGroups: readonly { title: string; functions: Readonly<Record<string, FunctionDefinition>> }[] = [
  { title: 'Text', functions: textFunctions },
  { title: 'Numbers and truth', functions: numberFunctions },
  { title: 'Lists and objects', functions: listFunctions },
  { title: 'Time', functions: timeFunctions },
]

/** Every function an expression may call. */
export const functions: ReadonlyMap<string, FunctionDefinition> = new Map(
  functionGroups.flatMap((group) => Object.entries(group.functions)),
)
export const functionNames: readonly string[] = [...functions.keys()]

/** An argument that is only known when the expression is evaluated. */
export const UNKNOWN = Symbol('unknown')

export function callFunction(name: string, given: Value[], context: Value, machine: Machine): Value {
  const definition = functions.get(name)
  if (!definition) throw new ExpressionError(msg('no_such_function', { name }))
  const shift = alignArguments(definition, given, context)
  const passed = shift === 1 ? [context, ...given] : given
  if (definition.required > 0 && passed[0] === undefined && !definition.mayBeNothing?.includes(0)) return undefined
  for (const value of passed) spendOn(value, machine)
  const result = definition.call(
    passed.map((value, index) => checkArgument(definition, index, value, index - shift)),
    machine,
  )
  if (typeof result === 'string') spendOn(result, machine)
  return result
}

/** What every function may do with an argument: read it once. */
function spendOn(value: Value, machine: Machine): void {
  if (typeof value === 'string') machine.spendText(value.length)
  else if (Array.isArray(value)) machine.spendText(value.length)
}

/**
 * 0 when the arguments are those of the parameters from the first one on, 1 when the first parameter is the value at hand, the
 * context. Like JSONata, types decide where both counts fit: `$pad(5, "0")` pads the value at hand. UNKNOWN fits everywhere.
 * Throws ExpressionError where neither fits.
 */
export function alignArguments(definition: FunctionDefinition, given: readonly Value[], context: Value): 0 | 1 {
  const { parameters, required, contextual, signature } = definition
  const shifts = ([0, 1] as const).filter(
    (shift) =>
      given.length + shift >= required &&
      given.length + shift <= parameters.length &&
      (shift === 0 || (contextual && (context === undefined || isOfType(context, parameters[0])))),
  )
  for (const shift of shifts) {
    if (given.every((value, index) => value === undefined || isOfType(value, parameters[index + shift]))) return shift
  }
  const [shift] = shifts
  if (shift === undefined || given.length < required)
    throw new ExpressionError(msg('arguments_given', { signature, count: given.length }))
  const wrong = given.findIndex((value, index) => value !== undefined && !isOfType(value, parameters[index + shift]))
  throw wrongArgument(definition, wrong, given[wrong])
}

/** Lists are judged by their items later on; one value counts as a list of one. */
function isOfType(value: Value, type: ParameterType | undefined): boolean {
  if (value === UNKNOWN) return true
  if (type === 'text' || type === 'picture') return typeof value === 'string'
  return type === 'number' || type === 'boolean' ? typeof value === type : true
}

/** `place`: where it is written; -1 is the value at hand. */
function checkArgument(definition: FunctionDefinition, index: number, value: Value, place: number): Value {
  const type = definition.parameters[index] ?? 'any'
  if (value === undefined) {
    if (index === 0 || index >= definition.required || definition.mayBeNothing?.includes(index)) return undefined
    throw wrongArgument(definition, place, value)
  }
  if (type === 'picture' && typeof value === 'string') return readPicture(value)
  const list = type === 'list' || type === 'texts' || type === 'numbers' || type === 'objects'
  const passed = list && !Array.isArray(value) ? [value] : value
  if (!fits(passed, type)) throw wrongArgument(definition, place, value)
  return passed
}

function wrongArgument({ signature }: FunctionDefinition, place: number, value: Value): ExpressionError {
  const found = typeName(value)
  return new ExpressionError(
    place === -1
      ? msg('context_has_wrong_type', { signature, found })
      : msg('argument_has_wrong_type', { number: place + 1, signature, found }),
  )
}

function fits(value: Value, type: ParameterType): boolean {
  switch (type) {
    case 'any':
      return true
    case 'text':
    case 'picture':
      return typeof value === 'string'
    case 'number':
    case 'boolean':
      return typeof value === type
    case 'list':
      return Array.isArray(value)
    case 'texts':
      return Array.isArray(value) && value.every((item) => typeof item === 'string')
    case 'numbers':
      return Array.isArray(value) && value.every((item) => typeof item === 'number')
    case 'objects':
      break
  }
  return Array.isArray(value) && value.every(isRecord)
}
