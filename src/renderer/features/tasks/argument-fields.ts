import type { Message } from '../../../language/message.ts'
import type { ArgumentSpec } from '../../../language/task/task.types.ts'
import { resolveArguments } from '../../../language/task/resolve-arguments.ts'
import { type ReadProblem, readValue, showValue } from './argument-values.ts'

/** Text of the form's fields by argument; an empty one is not given. */
export type Fields = Readonly<Record<string, string>>

/** What is wrong with a field: one of our own sentences, or the language's. */
export type FieldProblem = { kind: ReadProblem | 'required' } | { kind: 'language'; message: Message }

export interface ReadArguments {
  values: Record<string, unknown>
  problems: Record<string, FieldProblem>
}

/** Values of the filled fields, checked by the language against their specs. */
export function readFields(specs: Readonly<Record<string, ArgumentSpec>>, fields: Fields): ReadArguments {
  const values: Record<string, unknown> = {}
  const problems: Record<string, FieldProblem> = {}
  for (const [name, spec] of Object.entries(specs)) {
    const field = fields[name] ?? ''
    if (field === '') {
      if (spec.required) problems[name] = { kind: 'required' }
      continue
    }
    const read = readValue(spec, field)
    if (read.ok) values[name] = read.value
    else problems[name] = { kind: read.problem }
  }
  for (const { path, ...message } of resolveArguments({ ...specs }, values).problems) {
    const name = Object.keys(specs).find(
      (one) => path === one || path.startsWith(`${one}.`) || path.startsWith(`${one}[`),
    )
    if (name !== undefined) problems[name] ??= { kind: 'language', message }
  }
  return { values, problems }
}

/** Fields for values that were remembered. */
export const fieldsOf = (values: Readonly<Record<string, unknown>>): Fields =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, showValue(value)]))
