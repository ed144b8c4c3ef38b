import { scopeAt } from './editor/scope-at.ts'
import type { ScopeDescription } from './expressions/references.ts'
import { functions } from './expressions/functions.ts'
import { schemaMarkdown, schemasAt, alternatives, type Segment } from './editor/schema-walk.ts'
import { expressionStart } from './editor/complete-embedded.ts'
import { findBinds } from './sql-binds.ts'
import type { JsonSchema } from './shape/json-schema.ts'
import { parseTask } from './task/parse-task.ts'
import { schemaOfKind } from './task/task-schema.ts'
import type { ArgumentSpec } from './task/task.types.ts'
import { readYaml } from './yaml/read-yaml.ts'
import { entryOf, type Span, type YamlNode, type YamlScalar } from './yaml/yaml-tree.ts'

export interface Hover {
  markdown: string
  from: number
  to: number
}

/** What the key, value, argument or function at an offset means. Never throws. */
export function hoverTask(text: string, offset: number): Hover | null {
  const { root } = readYaml(text, () => {})
  if (!root) return null
  const found = find(root, offset, [])
  if (!found) return null
  const parsed = parseTask(text)
  const keysAt = (path: readonly Segment[]): string[] => keysOf(root, path)
  const schemas = schemasAt(schemaOfKind(parsed.kind), found.path, keysAt)
  const name = String(found.path.at(-1) ?? '')
  if (found.scalar) {
    const scope = scopeAt(found.path, parsed, keysAt(['state']).includes('cursor'))
    const embedded = hoverEmbedded(text, offset, found.scalar, { scope, specs: parsed.arguments, schemas })
    if (embedded) return embedded
    return hoverValue(found.scalar, schemas, name)
  }
  const [schema] = schemas
  return schema && found.key
    ? { markdown: schemaMarkdown(name, schema), from: found.key.start, to: found.key.end }
    : null
}

interface Found {
  path: Segment[]
  /** The cursor is on this key … */
  key?: Span
  /** … or in this value. */
  scalar?: YamlScalar
}

function within(span: Span, offset: number): boolean {
  return offset >= span.start && offset <= span.end
}

function find(node: YamlNode, offset: number, path: Segment[]): Found | null {
  if (node.kind === 'scalar') return within(node, offset) ? { path, scalar: node } : null
  if (node.kind === 'list') {
    for (const [index, item] of node.items.entries()) {
      const found = within(item, offset) ? find(item, offset, [...path, index]) : null
      if (found) return found
    }
    return null
  }
  for (const entry of node.entries) {
    if (within(entry.keySpan, offset)) return { path: [...path, entry.key], key: entry.keySpan }
    const found = within(entry.value, offset) ? find(entry.value, offset, [...path, entry.key]) : null
    if (found) return found
  }
  return null
}

function keysOf(root: YamlNode, path: readonly Segment[]): string[] {
  let node: YamlNode | undefined = root
  for (const segment of path) {
    if (node?.kind === 'list' && typeof segment === 'number') node = node.items[segment]
    else if (node?.kind === 'map' && typeof segment === 'string') node = entryOf(node, segment)?.value
    else return []
  }
  return node?.kind === 'map' ? node.entries.map((entry) => entry.key) : []
}

function hoverValue(scalar: YamlScalar, schemas: JsonSchema[], name: string): Hover | null {
  for (const form of schemas.flatMap(alternatives)) {
    const index = form.enum?.indexOf(scalar.value) ?? -1
    const meaning = form['x-enum-descriptions']?.[index]
    if (meaning)
      return { markdown: `**${name}: ${String(scalar.value)}** — ${meaning}`, from: scalar.start, to: scalar.end }
  }
  return null
}

interface Around {
  scope: ScopeDescription
  specs: Record<string, ArgumentSpec>
  schemas: JsonSchema[]
}

function hoverEmbedded(
  text: string,
  offset: number,
  scalar: YamlScalar,
  { scope, specs, schemas }: Around,
): Hover | null {
  const start = expressionStart(text, offset)
  if (start !== -1) return hoverExpression(text, offset, start, scope, specs)
  if (typeof scalar.value !== 'string' || !schemas.flatMap(alternatives).some((schema) => schema['x-language']))
    return null
  return hoverBind(text, offset, scalar.value, specs)
}

/** `:name` at the offset, if that is a bind in the SQL it stands in. */
function hoverBind(text: string, offset: number, sql: string, specs: Record<string, ArgumentSpec>): Hover | null {
  const before = /:?\w*$/.exec(text.slice(Math.max(0, offset - 70), offset))?.[0] ?? ''
  const after = /^:?\w*/.exec(text.slice(offset, offset + 70))?.[0] ?? ''
  const word = before + after
  const name = word.slice(1)
  if (!word.startsWith(':') || !findBinds(sql).some((bind) => bind.name === name)) return null
  const spec = Object.hasOwn(specs, name) ? specs[name] : undefined
  const markdown = spec ? argumentMarkdown(name, spec) : `**:${name}** — one of \`params\``
  return { markdown, from: offset - before.length, to: offset + after.length }
}

function hoverExpression(
  text: string,
  offset: number,
  start: number,
  scope: ScopeDescription,
  specs: Record<string, ArgumentSpec>,
): Hover | null {
  const before = /\$?[\w.]*$/.exec(text.slice(start, offset))?.[0] ?? ''
  const after = /^\w*/.exec(text.slice(offset))?.[0] ?? ''
  const word = before + after
  const from = offset - before.length
  const to = offset + after.length
  if (word.startsWith('$')) {
    const definition = functions.get(word.slice(1))
    return definition ? { markdown: `**${definition.signature}**\n\n${definition.description}`, from, to } : null
  }
  const [rootName = '', field] = word.split('.')
  const root = Object.hasOwn(scope, rootName) ? scope[rootName] : undefined
  if (!root) return null
  if (field === undefined) return { markdown: `**${rootName}** — ${root.description}`, from, to }
  const spec = rootName === 'args' && Object.hasOwn(specs, field) ? specs[field] : undefined
  if (spec) return { markdown: argumentMarkdown(field, spec), from, to }
  const description = root.fields && Object.hasOwn(root.fields, field) ? root.fields[field] : undefined
  return description ? { markdown: `**${rootName}.${field}** — ${description}`, from, to } : null
}

function argumentMarkdown(name: string, spec: ArgumentSpec): string {
  const lines = [`**${name}** — argument, ${spec.type}${spec.required ? ', required' : ''}`]
  if (spec.description) lines.push('', spec.description)
  if (spec.default !== undefined) lines.push('', `Default: \`${JSON.stringify(spec.default)}\``)
  if (spec.enum) lines.push('', `One of ${spec.enum.map((value) => `\`${JSON.stringify(value)}\``).join(', ')}`)
  return lines.join('\n')
}
