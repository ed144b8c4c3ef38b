/** A query of the builder as a model writes it, `{"builder": resource, …}`, and what it must be. Pure. */
import type { AiFinding } from '../../../contract/ai.ts'
import type { ErrorDetail } from '../../../contract/errors.ts'
import type { ExplorerPresetDefinition } from '../../../contract/explorer-presets.ts'
import { msg } from '../../../contract/messages.ts'
import { buildQuery } from '../../../language/query/build-query.ts'
import { type BuiltQuery, QueryMistakes } from '../../../language/query/query.types.ts'
import { dialectOf } from '../../../language/query/table-sql.ts'
import { finding } from './draft.rules.ts'
import { MOST_COLUMNS } from './knowledge.ts'
import type { KnownResource, KnownSlot } from './prompt.rules.ts'

/** What the builder shows; the rest of a definition, a person could not see before the query runs. */
const parts: ReadonlySet<string> = new Set(['action', 'filters', 'columns', 'sort', 'order', 'limit'])

export interface BuilderDraft {
  resource: string
  /** Not yet checked for its form. */
  definition: Record<string, unknown>
  strange: string[]
}

/** null: the text is no query of the builder. */
export function builderDraft(text: string): BuilderDraft | null {
  if (!text.trimStart().startsWith('{')) return null
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null || !('builder' in value)) return null
  const { builder, ...rest } = value
  return {
    resource: typeof builder === 'string' ? builder : '',
    definition: { ...rest, mode: 'visual' },
    strange: Object.keys(rest).filter((key) => !parts.has(key)),
  }
}

export interface BuilderKnowledge {
  /** Type of the connector. */
  type: string
  known: Pick<KnownSlot, 'all_listed'>
  /** undefined: the connector lists nothing of that name. */
  resource: KnownResource | undefined
  read: (value: unknown) => { definition: ExplorerPresetDefinition } | { wrong: string }
  mistakes: (definition: ExplorerPresetDefinition, type: string) => ErrorDetail[]
}
export interface BuilderProposal {
  resource: string
  /** null: it has not even the form of one. */
  definition: ExplorerPresetDefinition | null
  /** null: it has findings. */
  built: BuiltQuery | null
  findings: AiFinding[]
}

/** A draft held against the rules of presets, the builder, and the columns that are known. */
export function builderProposal(draft: BuilderDraft, about: BuilderKnowledge): BuilderProposal {
  const { resource: known, type } = about
  const resource = known?.name ?? draft.resource
  const failed = (findings: AiFinding[], definition: ExplorerPresetDefinition | null = null): BuilderProposal => ({
    resource,
    definition,
    built: null,
    findings,
  })
  if (draft.strange.length > 0)
    return failed(draft.strange.map((key) => finding(msg('preset_field_wrong', { path: key }), key)))
  const read = about.read(draft.definition)
  if ('wrong' in read) return failed([finding(msg('preset_field_wrong', { path: read.wrong }), read.wrong)])
  const { definition } = read
  if (!known && about.known.all_listed)
    return failed([finding(msg('ai_resource_unknown', { name: resource }), 'builder')], definition)
  const findings = [
    ...strangeColumns(definition, known, type),
    ...about
      .mistakes(definition, type)
      .map(({ path, code, params, message }) =>
        finding({ code, params, message }, path.replace(/^body\.definition\.?/, '')),
      ),
  ]
  if (findings.length > 0) return failed(findings, definition)
  try {
    const built = buildQuery(definition, { type, resource, columns: known?.columns })
    return { resource, definition, built, findings: [] }
  } catch (error) {
    if (!(error instanceof QueryMistakes)) throw error
    return failed(
      error.mistakes.map(({ path, reason }) => finding(reason, path)),
      definition,
    )
  }
}

/** Tables have the columns that are listed; documents and services can have more. */
function strangeColumns(
  { filters = [], columns = [], sort = '' }: ExplorerPresetDefinition,
  known: KnownResource | undefined,
  type: string,
): AiFinding[] {
  if (!known?.columns || known.columns.length >= MOST_COLUMNS || dialectOf(type) === null) return []
  const names = new Set(known.columns.map(({ name }) => name))
  const used = [
    ...filters.map(({ field }, at): [string, string] => [`filters[${at}].field`, field]),
    ...columns.map((column, at): [string, string] => [`columns[${at}]`, column]),
    ['sort', sort] as const,
  ]
  return used
    .filter(([, column]) => column !== '' && !names.has(column))
    .map(([path, column]) => finding(msg('ai_column_unknown', { name: known.name, column }), path))
}
