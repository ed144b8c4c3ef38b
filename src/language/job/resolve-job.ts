import { shortened } from '../shortened.ts'
import { budgetOfEach, evaluateTemplate } from '../expressions/template.ts'
import { resolveArguments, type ResolvedArguments } from '../task/resolve-arguments.ts'
import { createResolver, type ResolveProblem } from '../task/resolver.ts'
import type { ArgumentSpec, Json } from '../task/task.types.ts'
import { keysOfItems } from './item-keys.ts'
import type { ForEach, GateNode, JobTask, TaskNode } from './job.types.ts'
import type { JobRunValues, JobScope } from './job-scope.ts'
import { MAX_ITEMS } from './limits.ts'
import type { Message } from '../message.ts'
import { msg } from '../messages.ts'

export type Resolved<T> = { ok: true; value: T } | { ok: false; problem: Message }

/**
 * Checks the values given for a job or a start of it and fills in defaults. Defaults that are expressions need `run`; without
 * it (a job is made) such a parameter is left out of `values`. Never throws.
 */
export function resolveParameters(
  specs: Record<string, ArgumentSpec>,
  given: Record<string, unknown>,
  scope: { run?: JobRunValues } = {},
): ResolvedArguments {
  return resolveArguments(specs, given, scope, 'parameter')
}

/** `when`: whether the task or gate goes on. Nothing and null mean no; anything else than true or false is an error. */
export function evaluateWhen({ when }: Pick<JobTask, 'when'>, scope: JobScope): Resolved<boolean> {
  if (when === null) return { ok: true, value: true }
  const result = evaluate(when, scope)
  if (!result.ok) return refused(msg('when_problem', { problem: result.problem }))
  const value = result.value ?? false
  if (typeof value === 'boolean') return { ok: true, value }
  return refused(msg('when_not_boolean', { found: describe(value) }))
}

/** One unit of work of a `for_each`. */
export interface ForEachItem {
  value: Json
  /** Names the value in saved state: the same text for the same value, another one for each item of the list. */
  key: string
}

/** The list of a `for_each`. */
export function evaluateItems({ in: written }: Pick<ForEach, 'in'>, scope: JobScope): Resolved<ForEachItem[]> {
  const result = typeof written === 'string' ? evaluate(written, scope) : resolved(written, 'for_each.in', scope)
  if (!result.ok) return refused(msg('for_each_problem', { problem: result.problem }))
  const list = result.value
  if (!Array.isArray(list)) {
    // A path that finds one thing gives that thing, as JSONata has it.
    return refused(msg('items_not_list', { found: describe(list ?? null) }))
  }
  if (list.length > MAX_ITEMS) return refused(msg('items_too_many', { count: list.length, limit: MAX_ITEMS }))
  const keys = keysOfItems(list)
  return { ok: true, value: list.map((value, index) => ({ value, key: keys[index] ?? '' })) }
}

/** The arguments of the task's run; of a `for_each` with the scope of `withItem`. */
export function evaluateArgs({ args }: Pick<TaskNode, 'args'>, scope: JobScope): Resolved<Record<string, Json>> {
  const resolver = createResolver({ ...scope }, scope.run.logical_date, { budget: budgetOfEach(args) })
  const value = resolver.binds(args, 'args')
  return resolver.problems.length === 0 ? { ok: true, value } : refused(problemsMessage(resolver.problems))
}

/** What a gate asks. */
export function evaluateMessage({ message }: Pick<GateNode, 'message'>, scope: JobScope): Resolved<string> {
  const resolver = createResolver({ ...scope }, scope.run.logical_date, { budget: budgetOfEach(message) })
  const value = resolver.text(message, 'gate')
  return resolver.problems.length === 0 ? { ok: true, value } : refused(problemsMessage(resolver.problems))
}

function resolved(value: Json, path: string, scope: JobScope): Resolved<Json> {
  const resolver = createResolver({ ...scope }, scope.run.logical_date, { budget: budgetOfEach(value) })
  const found = resolver.json(value, path)
  return resolver.problems.length === 0 ? { ok: true, value: found } : refused(problemsMessage(resolver.problems))
}

function evaluate(text: string, scope: JobScope) {
  return evaluateTemplate(text, { ...scope }, scope.run.logical_date)
}

const SHOWN = 5

function problemsMessage(problems: readonly ResolveProblem[]): Message {
  const first = problems.slice(0, SHOWN).map(({ path, ...problem }) => msg('problem_at', { path, problem }))
  const rest = problems.length - first.length
  return rest > 0 ? msg('problems_and_more', { problems: first, rest }) : msg('problems', { problems: first })
}

function describe(value: Json): string | Message {
  if (value === null) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  const text = JSON.stringify(value)
  return shortened(text, 60)
}

const refused = (problem: Message): { ok: false; problem: Message } => ({ ok: false, problem })
