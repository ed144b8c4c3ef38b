import type { FunctionTable } from './function.types.ts'
import { ExpressionError, toBoolean, type Machine, type Value } from './machine.ts'
import { msg } from '../messages.ts'

/* The casts below hold because every argument was checked against `parameters` before the call. */
export const numberFunctions: FunctionTable = {
  number: {
    signature: '$number(value)',
    description: 'Text, true, or false as a number.',
    parameters: ['any'],
    required: 1,
    contextual: true,
    call: ([value]) => toNumber(value),
  },
  abs: simple('abs', 'The absolute value.', Math.abs),
  floor: simple('floor', 'Rounded down to a whole number.', Math.floor),
  ceil: simple('ceil', 'Rounded up to a whole number.', Math.ceil),
  round: {
    signature: '$round(number, digits?)',
    description: 'Rounded to the nearest number; halves to the even one.',
    parameters: ['number', 'number'],
    required: 1,
    contextual: true,
    call: ([value, digits]) => round(value as number, digits as number | undefined),
  },
  sqrt: simple('sqrt', 'The square root.', (value) => {
    if (value < 0) throw new ExpressionError(msg('sqrt_of_negative'))
    return Math.sqrt(value)
  }),
  power: {
    signature: '$power(base, exponent)',
    description: '`base` to the power of `exponent`.',
    parameters: ['number', 'number'],
    required: 2,
    contextual: true,
    call: ([base, exponent]) => {
      const result = (base as number) ** (exponent as number)
      if (!Number.isFinite(result)) throw new ExpressionError(msg('power_not_finite'))
      return result
    },
  },
  formatBase: {
    signature: '$formatBase(number, radix?)',
    description: 'A whole number as text in base 2 to 36.',
    parameters: ['number', 'number'],
    required: 1,
    contextual: true,
    call: ([value, radix]) => {
      const base = round((radix as number | undefined) ?? 10, undefined)
      if (base < 2 || base > 36) throw new ExpressionError(msg('format_base_range'))
      return round(value as number, undefined).toString(base)
    },
  },
  sum: aggregate('sum', 'Sum of a list of numbers.', (numbers) => numbers.reduce((total, value) => total + value, 0)),
  max: aggregate('max', 'The largest of a list of numbers.', (numbers) =>
    numbers.length === 0 ? undefined : numbers.reduce((a, b) => Math.max(a, b)),
  ),
  min: aggregate('min', 'The smallest of a list of numbers.', (numbers) =>
    numbers.length === 0 ? undefined : numbers.reduce((a, b) => Math.min(a, b)),
  ),
  average: aggregate('average', 'The mean of a list of numbers.', (numbers) =>
    numbers.length === 0 ? undefined : numbers.reduce((total, value) => total + value, 0) / numbers.length,
  ),
  boolean: {
    signature: '$boolean(value)',
    description: 'false for nothing, null, 0, empty text, and empty lists and objects; otherwise true.',
    parameters: ['any'],
    required: 1,
    contextual: true,
    call: ([value], machine) => toBoolean(value, machine),
  },
  not: {
    signature: '$not(value)',
    description: 'The opposite of `$boolean`.',
    parameters: ['any'],
    required: 1,
    contextual: true,
    call: ([value], machine) => !toBoolean(value, machine),
  },
}

function simple(name: string, description: string, compute: (value: number) => number): FunctionTable[string] {
  return {
    signature: `$${name}(number)`,
    description,
    parameters: ['number'],
    required: 1,
    contextual: true,
    call: ([value]) => compute(value as number),
  }
}

function aggregate(
  name: string,
  description: string,
  compute: (numbers: number[]) => number | undefined,
): FunctionTable[string] {
  return {
    signature: `$${name}(numbers)`,
    description,
    parameters: ['numbers'],
    required: 1,
    contextual: false,
    call: ([numbers], machine: Machine): Value => {
      machine.spend((numbers as number[]).length)
      return compute(numbers as number[])
    },
  }
}

function toNumber(value: Value): number {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'string') {
    const decimal = /^-?[0-9]+(\.[0-9]+)?([Ee][-+]?[0-9]+)?$/.test(value)
    if (decimal || /^(0[xX][0-9A-Fa-f]+|0[oO][0-7]+|0[bB][01]+)$/.test(value)) {
      const number = Number(value)
      if (Number.isFinite(number)) return number
    }
  }
  throw new ExpressionError(msg('not_readable_as_number', { value: JSON.stringify(value)?.slice(0, 60) ?? 'nothing' }))
}

/** Shifts the decimal point in text, since multiplying by powers of ten is inexact. */
function round(value: number, digits: number | undefined): number {
  const shifted = digits ? shift(value, digits) : value
  let result = Math.round(shifted)
  if (Math.abs(result - shifted) === 0.5 && Math.abs(result % 2) === 1) result -= 1
  if (digits) result = shift(result, -digits)
  return Object.is(result, -0) ? 0 : result
}

function shift(value: number, places: number): number {
  const [mantissa, exponent] = value.toString().split('e')
  return Number(`${mantissa}e${Number(exponent ?? 0) + Math.trunc(places)}`)
}
