import { suggest } from '../nearest.ts'
import { checkArgumentValue } from './argument-values.ts'
import { holdsExpression } from './arguments.ts'
import { createResolver } from './resolver.ts'
import type { ArgumentSpec, Json } from './task.types.ts'
import type { Message } from '../message.ts'
import { msg } from '../messages.ts'

export interface ArgumentProblem extends Message {
  /** Name of the argument, for an item of a list with its position: `regions[2]`. */
  path: string
}

/** What `run` is in defaults; `$now()` gives its time. */
interface KnownRun {
  logical_date: string
}

export interface ResolvedArguments {
  /** Every declared argument without a problem: what was given, else its default, else null. */
  values: Record<string, unknown>
  problems: ArgumentProblem[]
}

/**
 * Checks what is given for a run and fills in defaults. A default that is an expression needs `run`; without it (before a run
 * exists) such an argument is left out of `values`. `noun` is what they are called in messages. Never throws.
 */
export function resolveArguments(
  specs: Record<string, ArgumentSpec>,
  given: Record<string, unknown>,
  scope: { run?: KnownRun } = {},
  noun: 'argument' | 'parameter' = 'argument',
): ResolvedArguments {
  const values: Record<string, unknown> = {}
  const problems: ArgumentProblem[] = []
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(specs, name)) continue
    problems.push({
      path: name,
      ...msg(noun === 'argument' ? 'no_argument' : 'no_parameter', {
        name,
        suggestion: suggest(name, Object.keys(specs), noun === 'argument' ? 'arguments' : 'parameters'),
      }),
    })
  }
  for (const [name, spec] of Object.entries(specs)) {
    const resolved = resolveOne(name, spec, Object.hasOwn(given, name) ? given[name] : undefined, scope.run)
    if (resolved === 'deferred') continue
    if (resolved.ok) values[name] = resolved.value
    else problems.push(...resolved.problems)
  }
  return { values, problems }
}

type Resolved = { ok: true; value: Json } | { ok: false; problems: ArgumentProblem[] } | 'deferred'

function resolveOne(name: string, spec: ArgumentSpec, given: unknown, run: KnownRun | undefined): Resolved {
  // Forms send null for a field left empty; it means the same as leaving the argument out.
  if (given !== undefined && given !== null) return check(name, spec, given)
  if (spec.required) return { ok: false, problems: [{ path: name, ...msg('argument_required', { name }) }] }
  if (spec.default === undefined || spec.default === null) return { ok: true, value: null }
  if (!holdsExpression(spec.default)) return check(name, spec, spec.default)
  if (!run) return 'deferred'
  const resolver = createResolver({ run }, run.logical_date)
  const value = resolver.json(spec.default, name)
  if (resolver.problems.length > 0) {
    return {
      ok: false,
      problems: resolver.problems.map(({ path: _, ...problem }) => ({
        path: name,
        ...msg('default_problem', { name, problem }),
      })),
    }
  }
  if (value === null) return { ok: true, value }
  // A logical time is a moment on the clocks of its zone; as a day it is the day there.
  const fitted =
    spec.type === 'date' && typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(value) ? value.slice(0, 10) : value
  return check(name, spec, fitted)
}

function check(name: string, spec: ArgumentSpec, value: unknown): Resolved {
  const checked = checkArgumentValue(spec, value)
  if (checked.ok) return checked
  const path = `${name}${checked.problem.at}`
  return { ok: false, problems: [{ path, ...msg('value_problem', { path, problem: checked.problem.message }) }] }
}
