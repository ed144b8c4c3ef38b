import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import type { ArgumentSpec } from '../language/task/task.types.ts'
import { InputError, UsageError } from './output.ts'

interface Given<O extends ParseArgsOptionsConfig> {
  values: ReturnType<typeof parseArgs<{ options: O; allowPositionals: true }>>['values']
  positionals: string[]
}

/** `-` alone is standard input. */
export function readCommandLine<O extends ParseArgsOptionsConfig>(args: string[], options: O): Given<O> {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

export function oneFile(positionals: string[]): string {
  const [file, second] = positionals
  if (file === undefined) throw new UsageError('Missing FILE')
  if (second !== undefined) throw new UsageError(`Pass only one FILE; \`${second}\` is a second one`)
  return file
}

export function wholeNumber(name: string, written: string | undefined, fallback: number, most: number): number {
  if (written === undefined) return fallback
  const number = /^\d+$/.test(written) ? Number(written) : Number.NaN
  if (number <= most) return number
  throw new UsageError(`--${name} must be a whole number of at most ${most}, not ${written}`)
}

/** `NAME=VALUE` as the task declares NAME; whether VALUE is allowed is for the task to say. */
export function readTaskArguments(
  written: readonly string[],
  specs: Record<string, ArgumentSpec>,
): Record<string, unknown> {
  const given: Record<string, unknown> = {}
  for (const pair of written) {
    const at = pair.indexOf('=')
    if (at <= 0) throw new UsageError(`--arg ${pair} must have the form NAME=VALUE`)
    const name = pair.slice(0, at)
    given[name] = valueOf(name, pair.slice(at + 1), Object.hasOwn(specs, name) ? specs[name]?.type : undefined)
  }
  return given
}

function valueOf(name: string, text: string, type: ArgumentSpec['type'] | undefined): unknown {
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  if ((type === 'integer' || type === 'number') && text.trim() !== '' && Number.isFinite(Number(text)))
    return Number(text)
  if (type !== 'list' && type !== 'json') return text
  try {
    return JSON.parse(text) as unknown
  } catch {
    const example = type === 'list' ? `'${name}=["a","b"]'` : `'${name}={"a":1}'`
    throw new InputError(`--arg ${name} is not valid JSON: ${text.slice(0, 100)}. Example: --arg ${example}`)
  }
}
