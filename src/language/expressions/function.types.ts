import type { Machine, Value } from './machine.ts'

export type ParameterType =
  | 'text'
  /** A text that says how a time is written: `[Y0001]-[M01]-[D01]`. */
  | 'picture'
  | 'number'
  | 'boolean'
  | 'list'
  | 'texts'
  | 'numbers'
  | 'objects'
  | 'any'

export interface FunctionDefinition {
  /** e.g. `$substring(text, start, length?)` */
  signature: string
  description: string
  parameters: ParameterType[]
  /** How many of the parameters must be given. */
  required: number
  /** A missing first argument is the value at hand: `name.$uppercase()`, `name.$substring(0, 5)`. */
  contextual: boolean
  /**
   * Required parameters (by place) that may be nothing. Otherwise nothing as the first argument gives nothing, and nothing as
   * another one is a mistake.
   */
  mayBeNothing?: readonly number[]
  /** Arguments are already checked against `parameters`. */
  call(given: Value[], machine: Machine): Value
}

export type FunctionTable = Record<string, FunctionDefinition>
