import type { FunctionDefinition, ParameterType } from './function.types.ts'
import { listFunctions } from './list-functions.ts'
import { ExpressionError, isRecord, typeName, type Machine, type Value } from './machine.ts'
import { numberFunctions } from './number-functions.ts'
import { textFunctions } from './text-functions.ts'
import { timeFunctions } from './time-functions.ts'

/** Every function an expression may call: pure, without lambdas, bounded in what they make. */
export const functions: ReadonlyMap<string, FunctionDefinition> = new Map(
  Object.entries({ ...textFunctions, ...numberFunctions, ...listFunctions, ...timeFunctions }),
)
export const functionNames: readonly string[] = [...functions.keys()]

export function callFunction(name: string, given: Value[], context: Value, machine: Machine): Value {
  const definition = functions.get(name)
  if (!definition) throw new ExpressionError(`there is no function \`$${name}\``)
  const passed = definition.contextual && given.length < definition.required ? [context, ...given] : given
  if (passed.length < definition.required || passed.length > definition.parameters.length) {
    throw new ExpressionError(
      `\`${definition.signature}\` was given ${given.length} ${given.length === 1 ? 'argument' : 'arguments'}`,
    )
  }
  if (!definition.takesNothing && passed[0] === undefined) return undefined
  const checked = passed.map((value, index) => checkArgument(definition, index, value))
  return definition.call(checked, machine)
}

function checkArgument(definition: FunctionDefinition, index: number, value: Value): Value {
  const type = definition.parameters[index] ?? 'any'
  if (value === undefined) {
    if (index === 0 || index >= definition.required || type === 'any') return undefined
    throw new ExpressionError(`argument ${index + 1} of \`${definition.signature}\` is nothing`)
  }
  const list = type === 'list' || type === 'texts' || type === 'numbers' || type === 'objects'
  const passed = list && !Array.isArray(value) ? [value] : value
  if (!fits(passed, type)) {
    throw new ExpressionError(`argument ${index + 1} of \`${definition.signature}\` is ${typeName(value)}`)
  }
  return passed
}

function fits(value: Value, type: ParameterType): boolean {
  switch (type) {
    case 'any':
      return true
    case 'text':
      return typeof value === 'string'
    case 'number':
      return typeof value === 'number'
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
