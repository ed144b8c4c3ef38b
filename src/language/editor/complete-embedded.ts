import { functions } from '../expressions/functions.ts'
import type { ScopeDescription } from '../expressions/references.ts'
import type { ArgumentSpec } from '../task/task.types.ts'
import type { Completion } from './completion.types.ts'

/** Offset just after the `${{` that the cursor is in, or -1. Expressions stay on one line. */
export function expressionStart(text: string, offset: number): number {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1
  const open = text.lastIndexOf('${{', offset - 1)
  if (open < lineStart || open + 3 > offset) return -1
  if (open > 0 && text[open - 1] === '$') return -1
  return text.slice(open + 3, offset).includes('}}') ? -1 : open + 3
}

/** Names, fields and functions inside `${{ }}`. */
export function completeExpression(text: string, start: number, offset: number, scope: ScopeDescription): Completion[] {
  const written = /(?:\$\w*|[A-Za-z_]\w*(?:\.\w*)*)?$/.exec(text.slice(start, offset))?.[0] ?? ''
  const dot = written.lastIndexOf('.')
  if (dot !== -1) {
    const from = offset - (written.length - dot - 1)
    return Object.entries(fieldsAt(written.slice(0, dot).split('.'), scope)).map(([name, documentation]) => ({
      label: name,
      kind: 'field' as const,
      detail: `${written.slice(0, dot)}.${name}`,
      documentation,
      insert: name,
      from,
      to: offset,
    }))
  }
  const from = offset - written.length
  const roots = Object.entries(scope).map(([name, root]) => ({
    label: name,
    kind: 'field' as const,
    detail: Object.keys(root.fields ?? {}).join(', '),
    documentation: root.description,
    insert: `${name}.`,
    from,
    to: offset,
  }))
  const calls = [...functions].map(([name, definition]) => ({
    label: `$${name}`,
    kind: 'function' as const,
    detail: definition.signature,
    documentation: definition.description,
    insert: `$${name}(`,
    from,
    to: offset,
  }))
  return [...roots, ...calls]
}

/** What may follow a path of names. */
export function fieldsAt(path: readonly string[], scope: ScopeDescription): Readonly<Record<string, string>> {
  const [name = '', field, ...further] = path
  const root = Object.hasOwn(scope, name) ? scope[name] : undefined
  if (!root || further.length > 0) return {}
  if (field === undefined) return root.fields ?? {}
  return root.fields && Object.hasOwn(root.fields, field) ? (root.inner ?? {}) : {}
}

/** `:name` at the cursor inside SQL. */
export function completeBinds(
  text: string,
  offset: number,
  specs: Record<string, ArgumentSpec>,
  params: readonly string[],
): Completion[] {
  const written = /(?<![\w:)\]}'"]):([A-Za-z_]\w*)?$/.exec(text.slice(Math.max(0, offset - 100), offset))
  if (!written) return []
  const from = offset - written[0].length
  const bind = (name: string, detail: string, documentation: string): Completion => ({
    label: `:${name}`,
    kind: 'bind',
    detail,
    documentation,
    insert: `:${name}`,
    from,
    to: offset,
  })
  return [
    ...params.map((name) => bind(name, 'parameter', 'One of the `params` of this SQL.')),
    ...Object.entries(specs)
      .filter(([name]) => !params.includes(name))
      .map(([name, spec]) => bind(name, spec.type, spec.description ?? 'An argument of the task.')),
  ]
}
