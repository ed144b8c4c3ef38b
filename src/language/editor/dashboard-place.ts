import { dashboardScope } from '../dashboard/dashboard-scope.ts'
import type { DashboardCatalogue } from '../dashboard/dashboard.types.ts'
import type { parseDashboardTree } from '../dashboard/parse-dashboard.ts'
import type { ScopeDescription } from '../expressions/references.ts'
import type { JsonSchema } from '../shape/json-schema.ts'
import { entryOf } from '../yaml/yaml-tree.ts'

/** What an editor of dashboard templates knows besides the text. */
export interface DashboardWorld {
  catalogue?: DashboardCatalogue
}
type ParsedTree = ReturnType<typeof parseDashboardTree>

/** What `${{ }}` may refer to: expressions stand in `params` only. */
export function dashboardExpressions({ root, surroundings }: ParsedTree): ScopeDescription {
  const hasWindow = root?.kind === 'map' && entryOf(root, 'time_window') !== undefined
  return dashboardScope(surroundings?.filters ?? [], hasWindow)
}

/** Names that a schema's `x-complete` stands for, with what each is. */
export function dashboardNames(
  what: JsonSchema['x-complete'],
  { surroundings }: ParsedTree,
  { catalogue }: DashboardWorld,
): { name: string; detail: string; types?: readonly string[] }[] {
  const named = (names: Iterable<string>, detail: string) => [...names].map((name) => ({ name, detail }))
  const template = surroundings?.template
  switch (what) {
    case 'job-template':
      return named(catalogue?.templateNames() ?? [], 'job template')
    case 'job-connector':
      return Object.entries(template?.connectors ?? {}).map(([name, { types }]) => ({
        name,
        detail: types.join(' or '),
        types,
      }))
    case 'job-task':
      return named(template?.tasks ?? [], 'task of the job')
    case 'job-parameter':
      return Object.entries(template?.parameters ?? {}).map(([name, { type }]) => ({
        name,
        detail: `parameter, ${type}`,
      }))
    case 'filter':
      return named(surroundings?.filters ?? [], 'filter')
    case 'data':
      return named(surroundings?.data ?? [], 'data')
    case 'form':
    case 'field_mapping':
      return named(surroundings?.widgets.get(what) ?? [], what === 'form' ? 'form' : 'field mapping')
    // Found where the field is known.
    case 'option':
    // Names of the other languages.
    case 'slot':
    case 'column':
    case 'argument':
    case 'input':
    case 'connector':
    case 'task':
    case 'task-key':
    case 'task-slot':
    case 'task-argument':
    case 'pool':
    case 'channel':
    case undefined:
      return []
  }
}
