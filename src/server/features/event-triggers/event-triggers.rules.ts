import type { Finding } from '../../../language/diagnostic-collector.ts'
import { msg } from '../../../contract/messages.ts'
import type { ErrorDetail } from '../../../contract/errors.ts'
import type { eventTriggerTypes } from '../../../contract/event-triggers.ts'
import { findReferences } from '../../../language/expressions/references.ts'
import {
  budgetOfEach,
  compileTemplate,
  evaluateTemplate,
  hasExpression,
} from '../../../language/expressions/template.ts'
import { checkRelativePath } from '../../../language/task/file-paths.ts'
import type { EventConfig } from './event-triggers.table.ts'

type EventTriggerType = (typeof eventTriggerTypes)[number]
export type ConfigVerdict = { ok: true; config: EventConfig } | { ok: false; details: ErrorDetail[] }

/** What a body may hold for `config`: the contract takes the shapes of all types, this the one of the type. */
export function readConfig(type: EventTriggerType, given: Record<string, unknown>): ConfigVerdict {
  const fields = { webhook: [], file_arrival: ['connector_id', 'glob'], after_job: ['job_id'] }[type]
  const missing = fields.filter((field) => given[field] === undefined)
  const strange = type === 'webhook' ? Object.keys(given) : Object.keys(given).filter((key) => !known[type].has(key))
  const details = [
    ...missing.map((field) => ({ path: `body.config.${field}`, ...msg('needed_for_type', { type }) })),
    ...strange.map((key) => ({ path: `body.config.${key}`, ...msg('not_of_type', { type }) })),
  ]
  if (details.length > 0) return { ok: false, details }
  if (type === 'webhook') return { ok: true, config: {} }
  if (type === 'after_job') return { ok: true, config: { on: ['completed'], ...given } as EventConfig } // its fields have been checked
  const problem = checkRelativePath(String(given['glob']))
  if (problem) return { ok: false, details: [{ path: 'body.config.glob', ...unread(problem) }] }
  return { ok: true, config: { poll_seconds: 60, settle_seconds: 10, ...given } as EventConfig } // its fields have been checked
}
const known = {
  file_arrival: new Set(['connector_id', 'glob', 'poll_seconds', 'settle_seconds']),
  after_job: new Set(['job_id', 'on']),
}

/** Whether a value is known only when the event comes. */
export function holdsEvent(value: unknown): boolean {
  if (typeof value === 'string') return hasExpression(value)
  if (value === null || typeof value !== 'object') return false
  return Object.values(value).some(holdsEvent)
}

/** Expressions of the arguments that cannot be read, or look at something else than the event. */
export function templateProblems(value: unknown, path = 'body.arguments'): ErrorDetail[] {
  if (typeof value === 'string') return hasExpression(value) ? textProblems(value, path) : []
  if (Array.isArray(value)) return value.flatMap((item, index) => templateProblems(item, `${path}[${index}]`))
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, item]) => templateProblems(item, `${path}.${key}`))
}

function textProblems(text: string, path: string): ErrorDetail[] {
  const compiled = compileTemplate(text)
  if (!compiled.ok) return [{ path, ...unread(compiled.problem) }]
  return compiled.parts
    .flatMap((part) => ('text' in part ? [] : findReferences(part.expression)))
    .filter(({ names: [root] }) => root !== undefined && root.name !== 'event')
    .map(({ names: [root] }) => ({
      path,
      ...msg('not_event', { name: root?.name ?? '' }),
    }))
}

const unread = ({ message, hint }: Pick<Finding, 'message' | 'hint'>) =>
  msg('argument_invalid', { problem: [message, ...(hint ? [hint] : [])] })

export type FilledArguments = { ok: true; values: Record<string, unknown> } | { ok: false; details: ErrorDetail[] }

/** The arguments with what the event says filled in. Nothing becomes null. What comes with the event is never evaluated itself. */
export function fillArguments(
  given: Record<string, unknown>,
  event: Record<string, unknown>,
  now: string,
): FilledArguments {
  const details: ErrorDetail[] = []
  const budget = budgetOfEach(given)
  const fill = (value: unknown, path: string): unknown => {
    if (typeof value === 'string') {
      const result = evaluateTemplate(value, { event }, now, budget)
      if (result.ok) return result.value ?? null
      details.push({ path, ...msg('argument_invalid', { problem: result.problem }) })
      return null
    }
    if (Array.isArray(value)) return value.map((item, index) => fill(item, `${path}[${index}]`))
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, `${path}.${key}`)]))
  }
  const values = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, fill(value, `body.arguments.${name}`)]),
  )
  return details.length > 0 ? { ok: false, details } : { ok: true, values }
}

/** The jobs that would start each other for ever if the end of `source` started `target`; null: none would. */
export function loopOf(
  links: readonly { from: number; to: number }[],
  source: number,
  target: number,
): number[] | null {
  if (source === target) return [source, target]
  const cameFrom = new Map<number, number>([[target, source]])
  const waiting = [target]
  for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
    for (const { from, to } of links) {
      if (from !== at) continue
      if (to === source) {
        const chain = [source]
        for (let back = at; back !== source; back = cameFrom.get(back) ?? source) chain.unshift(back)
        return [source, ...chain]
      }
      if (cameFrom.has(to)) continue
      cameFrom.set(to, at)
      waiting.push(to)
    }
  }
  return null
}

/** What an event tells of the headers of a call: not what proves who called. */
export function visibleHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const recorded = Object.entries(headers).filter(
    ([name, value]) => value !== undefined && !kept.has(name.toLowerCase()),
  )
  return Object.fromEntries(recorded.map(([name, value]) => [name.toLowerCase(), [value].flat().join(', ')]))
}
const kept = new Set(['authorization', 'proxy-authorization', 'cookie'])
