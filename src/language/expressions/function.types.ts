import type { Machine, Value } from './machine.ts'

export type ParameterType = 'text' | 'number' | 'list' | 'texts' | 'numbers' | 'objects' | 'any'

export interface FunctionDefinition {
  /** e.g. `$substring(text, start, length?)` */
  signature: string
  description: string
  parameters: ParameterType[]
  /** How many of the parameters must be given. */
  required: number
  /** A missing first argument is the value at hand: `name.$uppercase()`. */
  contextual: boolean
  /** Called although the first argument is nothing; otherwise the result is nothing, too. */
  takesNothing?: boolean
  /** Arguments are already checked against `parameters`. */
  call(given: Value[], machine: Machine): Value
}

export type FunctionTable = Record<string, FunctionDefinition>
