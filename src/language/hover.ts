import { scopeAt } from './editor/scope-at.ts'
import type { ScopeDescription } from './expressions/references.ts'
import { find, hoverValue, keysOf } from './editor/find-node.ts'
import { argumentMarkdown, hoverExpression } from './editor/hover-expression.ts'
import type { Hover } from './editor/hover.types.ts'
import { schemaMarkdown, schemasAt, alternatives, type Segment } from './editor/schema-walk.ts'
import { expressionStart } from './editor/complete-embedded.ts'
import { findBinds } from './sql-binds.ts'
import type { JsonSchema } from './shape/json-schema.ts'
import { parseTask } from './task/parse-task.ts'
import { schemaOfKind } from './task/task-schema.ts'
import type { ArgumentSpec } from './task/task.types.ts'
import { readYaml } from './yaml/read-yaml.ts'
import type { YamlScalar } from './yaml/yaml-tree.ts'

export type { Hover } from './editor/hover.types.ts'

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
  if (start !== -1) return hoverExpression(text, offset, start, scope, { args: specs })
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
