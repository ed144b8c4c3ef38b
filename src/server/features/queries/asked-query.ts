import type { ResultPlan } from '../../../contract/executor-results.ts'
import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import { msg } from '../../../contract/messages.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import type { queryConnector } from '../../../contract/queries.ts'
import { buildQuery, needsColumns } from '../../../language/query/build-query.ts'
import { filledJson, fillerOf, refuseStrangers } from '../../../language/query/placeholders.ts'
import { QueryMistakes } from '../../../language/query/query.types.ts'
import { invalid } from '../../platform/refusal.ts'
import type { ConnectorsService } from '../connectors/connectors.service.ts'
import type { ExplorerPresetsService } from '../explorer-presets/explorer-presets.service.ts'

export type AskedQuery = Pick<BodyOf<typeof queryConnector>, 'definition' | 'resource' | 'parameters'>

interface Dependencies {
  connectors: Pick<ConnectorsService, 'resource'>
  presets: Pick<ExplorerPresetsService, 'mistakes'>
}

/** Makes of a definition what an executor sends to the system. */
export function createAskedQueries({ connectors, presets }: Dependencies) {
  async function read(
    { id, type }: BoundConnector,
    { definition, resource = '', parameters = {} }: AskedQuery,
    signal: AbortSignal,
  ): Promise<Pick<ResultPlan, 'query' | 'parameters'>> {
    const { mode, action = 'find', rawQuery = '', parameters: declared = [] } = definition
    const isRaw = mode === 'raw'
    if (action !== 'find' && action !== 'count')
      invalid([{ path: 'body.definition.action', ...msg('query_action_writes', { action }) }])
    if (isRaw && rawQuery.trim() === '') invalid([{ path: 'body.definition.rawQuery', ...msg('query_raw_empty') }])
    if (rawQuery.includes('\0')) invalid([{ path: 'body.definition.rawQuery', ...msg('query_has_nul') }])
    if (resource.includes('\0')) invalid([{ path: 'body.resource', ...msg('query_has_nul') }])
    if (!isRaw || declared.length > 0) {
      const mistakes = presets.mistakes(definition, type)
      if (mistakes.length > 0) invalid(mistakes.slice(0, mostMistakes))
      told(() => refuseStrangers(definition, parameters))
    }
    if (isRaw && declared.length === 0) return { query: rawQuery, parameters }
    if (isRaw) return { query: told(() => filledJson(rawQuery, fillerOf(definition, parameters))), parameters: {} }
    const place = { type, resource }
    // What is wrong by itself needs no look at the table.
    const built = told(() => buildQuery(definition, place, parameters))
    if (!needsColumns(definition, type)) return { query: built.text, parameters: built.parameters }
    const { columns } = await connectors.resource(id, resource, signal)
    const typed = told(() => buildQuery(definition, { ...place, columns }, parameters))
    return { query: typed.text, parameters: typed.parameters }
  }
  return { read }
}

/** That one refusal names. */
const mostMistakes = 50

/** Mistakes as refusals, each at its place in the body. */
function told<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof QueryMistakes)) throw error
    invalid(
      error.mistakes.slice(0, mostMistakes).map(({ path, reason }) => ({
        path: /^(parameters\.|resource$)/.test(path) ? `body.${path}` : `body.definition.${path}`,
        ...reason,
      })),
    )
  }
}
