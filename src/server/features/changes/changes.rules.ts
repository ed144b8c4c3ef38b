/** What is asked for, as executors take it, and what is kept of it in the audit log. Pure. */
import { createHash } from 'node:crypto'
import type { ChangesReport, PlannedChanges, changeConnectorData } from '../../../contract/changes.ts'
import type { ErrorDetail } from '../../../contract/errors.ts'
import { type Message, msg } from '../../../contract/messages.ts'
import type { BodyOf } from '../../../contract/operation.ts'

export type ChangesBody = BodyOf<typeof changeConnectorData>

/** The changes, or what is wrong with the request. */
export function plannedOf(body: ChangesBody): PlannedChanges | ErrorDetail[] {
  const { resource, edits, definition, parameters = {} } = body
  const wrong = (path: string, reason: Message) => [{ path, ...reason }]
  if ((edits === undefined) === (definition === undefined)) return wrong('body', msg('changes_edits_or_definition'))
  if (definition?.mode === 'raw') {
    const query = definition.rawQuery ?? ''
    if (query.trim() === '') return wrong('body.definition.rawQuery', msg('changes_raw_empty'))
    if (query.includes('\0')) return wrong('body.definition.rawQuery', msg('query_has_nul'))
    return { kind: 'raw', query, parameters: { ...defaultsOf(definition), ...parameters } }
  }
  if (resource === undefined) return wrong('body.resource', msg('changes_need_resource'))
  if (resource.includes('\0')) return wrong('body.resource', msg('query_has_nul'))
  if (edits) return { kind: 'edits', resource, edits }
  const { action } = definition!
  if (action !== 'insert' && action !== 'update' && action !== 'delete')
    return wrong('body.definition.action', msg('changes_action'))
  return {
    kind: 'builder',
    resource,
    action,
    definition: definition!,
    parameters: { ...defaultsOf(definition!), ...parameters },
  }
}

function defaultsOf({ parameters = [] }: NonNullable<ChangesBody['definition']>): Record<string, unknown> {
  return Object.fromEntries(
    parameters.flatMap(({ name, defaultValue, required = true }) =>
      defaultValue !== undefined ? [[name, defaultValue]] : required ? [] : [[name, '']],
    ),
  )
}

/** The same for the same changes, however the keys of the request are ordered. */
export function digestOf(changes: PlannedChanges): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(changes)))
    .digest('hex')
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, inner]) => [key, sorted(inner)])
}

/** Each statement once, as long as a record may be; values by their digest only. */
export function auditedOf({ statements, rows }: Pick<ChangesReport, 'statements' | 'rows'>): string {
  const times = new Map<string, number>()
  for (const { statement } of statements) times.set(statement, (times.get(statement) ?? 0) + 1)
  const values = statements.map((one) => one.values.map(({ value }) => value))
  return JSON.stringify({
    statements: [...times].map(([statement, count]) => ({ statement: statement.toWellFormed(), times: count })),
    values_digest: createHash('sha256').update(JSON.stringify(values)).digest('hex'),
    rows,
  })
}

/** Each statement once. */
export const textOf = ({ statements }: Pick<ChangesReport, 'statements'>): string =>
  [...new Set(statements.map(({ statement }) => statement))].join(';\n')

const problems = {
  gone: 'changes_row_gone',
  changed: 'changes_row_changed',
  ambiguous: 'changes_row_ambiguous',
  differs: 'changes_differ',
} as const

export function conflictDetails({ conflicts }: Pick<ChangesReport, 'conflicts'>): ErrorDetail[] {
  return conflicts.slice(0, mostReported).map(({ edit, problem, fields }) => ({
    path: edit === null ? 'body' : `body.edits[${edit}]`,
    ...msg(problems[problem], { fields: fields.slice(0, mostReported) }),
  }))
}

/** That one refusal names. */
const mostReported = 50
