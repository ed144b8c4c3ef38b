/// <reference types="vite/client" />
/** Ready dashboard templates: files of `resources/gallery/dashboards`, fitted to the job template that they are for. */
import type { DashboardDocument, DashboardJobTemplate } from '../../../language/dashboard/dashboard.types.ts'
import { sqlDatabases } from '../../../language/task/connector-slots.ts'
import { readYaml } from '../../../language/yaml/read-yaml.ts'
import { type YamlNode, type YamlScalar, entryOf } from '../../../language/yaml/yaml-tree.ts'
import { plainOrQuoted } from '../job-templates/text-insert.ts'
import { readDashboard } from './dashboard-reader.ts'

export interface GalleryDashboard {
  /** Name of the file. */
  id: string
  /** The comment on the first line. */
  title: string
  description: string
  document: DashboardDocument | null
  /** Without the title, which is the gallery's. */
  yaml: string
}

const files = import.meta.glob<string>('../../../../resources/gallery/dashboards/*.yaml', {
  query: '?raw',
  import: 'default',
  eager: true,
})

function read(path: string, text: string): GalleryDashboard {
  const id = path.slice(path.lastIndexOf('/') + 1, -'.yaml'.length)
  const { dashboard } = readDashboard(text)
  return {
    id,
    title: /^# (.+)/.exec(text)?.[1]?.trim() ?? dashboard?.name ?? id,
    description: dashboard?.description ?? '',
    document: dashboard,
    yaml: text.replace(/^# .*\n/, ''),
  }
}

let dashboards: readonly GalleryDashboard[] | undefined

/** All of them, read when the gallery is first opened. */
export function galleryDashboards(): readonly GalleryDashboard[] {
  dashboards ??= Object.entries(files)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, text]) => read(path, text))
  return dashboards
}

/** Each scalar below a key of that name. */
function* scalarsAt(node: YamlNode, key: string): Generator<YamlScalar> {
  if (node.kind === 'list') for (const item of node.items) yield* scalarsAt(item, key)
  if (node.kind !== 'map') return
  for (const entry of node.entries) {
    if (entry.key === key && entry.value.kind === 'scalar') yield entry.value
    else yield* scalarsAt(entry.value, key)
  }
}

/**
 * An example for a job template: named after it, over its first database, with a field for its first parameter. What the job template
 * lacks stays as it is in the example, and the editor says so.
 */
export function fittedTo(yaml: string, name: string, template: DashboardJobTemplate | undefined): string {
  const { root } = readYaml(yaml, () => {})
  if (root?.kind !== 'map') return yaml
  const database = Object.entries(template?.connectors ?? {}).find(([, { types }]) =>
    types.every((type) => sqlDatabases.some((one) => one === type)),
  )?.[0]
  const [parameter] = Object.keys(template?.parameters ?? {})
  const own = entryOf(root, 'name')?.value
  const last = own?.kind === 'scalar' ? String(own.value).split('.').at(-1) : undefined
  const changes: { at: YamlScalar; text: string }[] = []
  const write = (key: string, text: string | undefined) => {
    if (text !== undefined) for (const at of scalarsAt(root, key)) changes.push({ at, text: plainOrQuoted(text) })
  }
  if (own?.kind === 'scalar' && last !== undefined) changes.push({ at: own, text: plainOrQuoted(`${name}.${last}`) })
  write('job_template', name)
  write('connector', database)
  write('param', parameter)
  return changes
    .toSorted((a, b) => b.at.start - a.at.start)
    .reduce((text, { at, text: now }) => text.slice(0, at.start) + now + text.slice(at.end), yaml)
}
