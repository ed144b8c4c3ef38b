import { splitTemplate } from '../expressions/template.ts'
import type { SqlDialect } from '../sql/scan-sql.ts'
import { type TableReference, tableReferences } from '../sql/table-references.ts'
import type { TaskDocument } from '../task/kinds/task-document.types.ts'
import type { TaskSource } from '../task/sources/source.types.ts'
import { dialectOf } from '../task/sql-text.ts'
import { parseTableName } from '../task/table-name.ts'
import type { TaskTarget } from '../task/targets/target.types.ts'
import type { Hook } from '../task/task.types.ts'

export const datasetKinds = ['table', 'file', 'collection', 'entity_set', 'path', 'query'] as const
/** `query`: SQL whose tables its text doesn't name. */
export type DatasetKind = (typeof datasetKinds)[number]

/** What a task reads or writes behind one of its slots. */
export interface DatasetUse {
  access: 'read' | 'write'
  slot: string
  kind: DatasetKind
  /** Of tables; null: the connector's own. */
  schema: string | null
  /** `*` stands for what only a run knows: arguments, and the patterns of files. */
  name: string
  /** The name stands for any number of datasets. */
  pattern: boolean
  /** Where the task says so: `source`, `inputs.countries`, `target`, `sql`, `http`, `before`, `after`. */
  part: string
}

type Place = Pick<DatasetUse, 'access' | 'slot' | 'part'>
/** How SQL of a slot is written. */
type Dialects = (slot: string) => SqlDialect

const longestQuery = 300

/** The datasets of a task as its text names them, each once for each part and access; what hooks do after an error isn't among them. */
export function datasetUses(task: TaskDocument): DatasetUse[] {
  const dialects: Dialects = (slot) => dialectOf(Object.hasOwn(task.connectors, slot) ? task.connectors[slot] : null)
  const uses = [...ofWork(task, dialects), ...ofHooks(task.hooks.before, 'before', dialects)]
  uses.push(...ofHooks(task.hooks.after, 'after', dialects))
  const seen = new Set<string>()
  return uses.filter(({ part, access, slot, kind, schema, name }) => {
    const key = JSON.stringify([part, access, slot, kind, schema, name])
    return !seen.has(key) && seen.add(key)
  })
}

function ofWork(task: TaskDocument, dialects: Dialects): DatasetUse[] {
  switch (task.kind) {
    case 'pipeline':
      return [
        ...ofSource(task.source, 'source', dialects),
        ...Object.entries(task.inputs).flatMap(([name, input]) => ofSource(input, `inputs.${name}`, dialects)),
        ofTarget(task.target),
      ]
    case 'sql': {
      const { connector, work } = task.sql
      const place = { slot: connector, part: 'sql' }
      if (work.kind === 'statements') return ofStatements(work.statements, place, dialects(connector))
      const read = ofStatements([work.query], place, dialects(connector))
      return [...read, tableUse(work.table, { access: 'write', ...place })]
    }
    case 'http': {
      const { connector, request } = task.http
      return [
        pathUse(request.path, { access: request.method === 'GET' ? 'read' : 'write', slot: connector, part: 'http' }),
      ]
    }
    case 'script':
    case 'command':
      return []
  }
}

function ofSource(source: TaskSource, part: string, dialects: Dialects): DatasetUse[] {
  if (source.kind === 'inline') return []
  const place: Place = { access: 'read', slot: source.connector, part }
  switch (source.kind) {
    case 'files':
      return [use('file', patternOf(source.glob, hasGlob), place)]
    case 'sql': {
      const { read } = source
      if (read.kind === 'table') return [tableUse(read.table, place)]
      return ofStatements([read.query], place, dialects(source.connector), 'read')
    }
    case 'mongo':
      return [use('collection', patternOf(source.collection), place)]
    case 'odata':
      return [use('entity_set', patternOf(source.entity), place)]
    case 'http':
      return [pathUse(source.request.path, place)]
  }
}

function ofTarget(target: TaskTarget): DatasetUse {
  const place: Place = { access: 'write', slot: target.connector, part: 'target' }
  switch (target.kind) {
    case 'table':
      return tableUse(target.table, place)
    case 'file':
      return use('file', patternOf(target.path), place)
    case 'collection':
      return use('collection', patternOf(target.collection), place)
    case 'http':
      return pathUse(target.path, place)
  }
}

function ofHooks(hooks: readonly Hook[], part: string, dialects: Dialects): DatasetUse[] {
  return hooks.flatMap((hook) =>
    hook.kind === 'sql'
      ? ofStatements(hook.statements, { slot: hook.connector, part }, dialects(hook.connector))
      : [
          pathUse(hook.request.path, {
            access: hook.request.method === 'GET' ? 'read' : 'write',
            slot: hook.connector,
            part,
          }),
        ],
  )
}

/** Tables that the statements make for themselves and drop again are none of the task's datasets. */
function ofStatements(
  statements: readonly string[],
  place: Omit<Place, 'access'>,
  dialect: SqlDialect,
  hiddenAccess: DatasetUse['access'] = 'write',
): DatasetUse[] {
  const read = statements.map((sql) => ({ sql, ...tableReferences(sql, dialect) }))
  const nameOf = ({ path }: TableReference) => (path.at(-1) ?? '').toLowerCase()
  const temporary = new Set(read.flatMap(({ tables }) => tables.filter((one) => one.temporary).map(nameOf)))
  return read.flatMap(({ sql, tables, hidden }) => {
    const uses = tables
      .filter((reference) => !temporary.has(nameOf(reference)))
      .map(({ access, path }): DatasetUse => {
        const schema = path.length > 1 ? path.slice(0, -1).join('.') : null
        return { ...place, access, kind: 'table', schema, name: path.at(-1) ?? '', pattern: false }
      })
    if (!hidden) return uses
    const name = sql.replaceAll(/\s+/g, ' ').trim().slice(0, longestQuery)
    return [...uses, { ...place, access: hiddenAccess, kind: 'query', schema: null, name, pattern: false }]
  })
}

interface Named {
  name: string
  pattern: boolean
}

/** The text with `*` for each expression in it. */
function patternOf(text: string, isPattern: (name: string) => boolean = () => false): Named {
  const split = splitTemplate(text)
  const parts = split.ok ? split.parts : [{ kind: 'text' as const, text }]
  let name = ''
  for (const part of parts) {
    if (part.kind === 'text') name += part.text
    else if (!name.endsWith('*')) name += '*'
  }
  return { name, pattern: parts.some(({ kind }) => kind === 'expression') || isPattern(name) }
}

const hasGlob = (path: string) => /[*?[{]/.test(path)

function use(kind: DatasetKind, named: Named, place: Place): DatasetUse {
  return { ...place, kind, schema: null, ...named }
}

function tableUse(text: string, place: Place): DatasetUse {
  const { name, pattern } = patternOf(text)
  const parsed = parseTableName(name)
  return { ...place, kind: 'table', schema: parsed?.schema ?? null, name: parsed?.name ?? name, pattern }
}

/** Without the values behind `?`. */
function pathUse(text: string, place: Place): DatasetUse {
  const { name, pattern } = patternOf(text)
  const path = name.split('?', 1)[0] ?? ''
  return use(
    'path',
    { name: path.startsWith('/') ? path : `/${path}`, pattern: pattern || /\{\w+\}/.test(path) },
    place,
  )
}
