import { expressionStart } from './editor/complete-embedded.ts'
import { type DashboardWorld, dashboardExpressions, dashboardNames } from './editor/dashboard-place.ts'
import { find, hoverValue, keysOf } from './editor/find-node.ts'
import { hoverExpression } from './editor/hover-expression.ts'
import type { Hover } from './editor/hover.types.ts'
import { alternatives, schemaMarkdown, schemasAt } from './editor/schema-walk.ts'
import { dashboardSchema } from './dashboard/dashboard-schema.ts'
import { parseDashboardTree } from './dashboard/parse-dashboard.ts'

/** What the key, value, name or function at an offset of a dashboard template means. Never throws. */
export function hoverDashboard(text: string, offset: number, world: DashboardWorld = {}): Hover | null {
  const parsed = parseDashboardTree(text, world.catalogue)
  const { root } = parsed
  const found = root ? find(root, offset, []) : null
  if (!root || !found) return null
  const schemas = schemasAt(dashboardSchema, found.path, (path) => keysOf(root, path))
  const name = String(found.path.at(-1) ?? '')
  if (found.scalar) {
    const start = expressionStart(text, offset)
    if (start !== -1) return hoverExpression(text, offset, start, dashboardExpressions(parsed), {})
    const { value, start: from, end: to } = found.scalar
    const known = schemas
      .flatMap(alternatives)
      .flatMap((schema) => dashboardNames(schema['x-complete'], parsed, world))
      .find((one) => one.name === value)
    const type = schemas.flatMap(alternatives).find((schema) => schema.const === value && schema.description)
    if (type) return { markdown: `**${String(value)}** — ${type.description ?? ''}`, from, to }
    return known
      ? { markdown: `**${known.name}** — ${known.detail}`, from, to }
      : hoverValue(found.scalar, schemas, name)
  }
  if (!found.key) return null
  const [schema] = schemas
  return schema ? { markdown: schemaMarkdown(name, schema), from: found.key.start, to: found.key.end } : null
}
