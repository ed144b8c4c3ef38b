/** Records that a `mongoRecord` parameter offers, searched and paged by MongoDB. */
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { msg } from '../../../contract/messages.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import type { PickedRecord, RecordsPage, listRecords } from '../../../contract/records.ts'
import { atLeast } from '../../../contract/roles.ts'
import { QueryMistakes } from '../../../language/query/query.types.ts'
import { type RecordSource, recordQuery, recordsQuery } from '../../../language/query/record-query.ts'
import type { Caller } from '../../platform/caller.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal, invalid } from '../../platform/refusal.ts'
import type { ConnectorsService } from '../connectors/connectors.service.ts'
import type { ExplorerPresetsService } from '../explorer-presets/explorer-presets.service.ts'
import type { QueriesService } from './queries.service.ts'
import { recordOf } from './records.rules.ts'

type Body = BodyOf<typeof listRecords>

interface Dependencies {
  connectors: Pick<ConnectorsService, 'get'>
  presets: Pick<ExplorerPresetsService, 'parameterMistakes' | 'find'>
  queries: Pick<QueriesService, 'few'>
}

/** Somebody waits in front of an open list. */
const waitMs = 30_000
const defaultLimit = 50

export function createRecordsService(
  { store }: Pick<Platform, 'store'>,
  { connectors, presets, queries }: Dependencies,
) {
  /** A filter is a query of its own: whoever may not write queries uses those that were saved. */
  function mustBeAllowed(connectorId: number, { parameter, preset_id }: Body, { role }: Caller): void {
    if (parameter.filter === undefined || atLeast(role, 'editor') || connectors.get(connectorId).viewer_raw) return
    const preset = preset_id === undefined ? undefined : presets.find(preset_id)
    const saved = preset?.connector_id === connectorId ? (preset.definition.parameters ?? []) : []
    if (!saved.some((one) => isDeepStrictEqual(one, parameter)))
      invalid([{ path: 'body.parameter.filter', ...msg('records_filter_not_saved') }])
  }

  async function ask(connectorId: number, query: string, most: number, { user_id }: Caller, signal: AbortSignal) {
    const late = AbortSignal.timeout(waitMs)
    try {
      return (await queries.few(connectorId, query, most, AbortSignal.any([signal, late]), user_id)).rows
    } catch (error) {
      if (!late.aborted || signal.aborted) throw error
      throw new Refusal('TIMEOUT', msg('no_answer_within', { seconds: waitMs / 1000 }))
    }
  }

  return {
    async list(connectorId: number, body: Body, caller: Caller, signal: AbortSignal): Promise<RecordsPage> {
      const { parameter, q = '', value, cursor, limit = defaultLimit } = body
      const { type } = connectors.get(connectorId)
      const mistakes = presets.parameterMistakes(parameter, type)
      if (parameter.type !== 'mongoRecord')
        mistakes.push({ path: 'body.parameter.type', ...msg('records_of_no_record') })
      if (mistakes.length > 0) invalid(mistakes)
      mustBeAllowed(connectorId, body, caller)
      const { name: _, label: __, defaultValue: ___, ...source } = parameter
      const asked = createHash('sha256')
        .update(JSON.stringify([source, q]))
        .digest('base64url')
      const list = `records:${connectorId}:${asked}`
      const skip = cursor === undefined ? 0 : Number(store.cursors.decode(cursor, list, 'body.cursor').values[0])
      const toRecord = ([document]: unknown[]): PickedRecord => recordOf(parameter, document)
      // One more than a page has says whether there is another one.
      const query = told(() => recordsQuery(parameter, { q, skip, limit: limit + 1 }))
      const rows = await ask(connectorId, query, limit + 1, caller, signal)
      const records = rows.slice(0, limit).map(toRecord)
      const selected =
        value === undefined || value === ''
          ? null
          : (records.find((record) => record.value === value) ?? (await find(parameter, value)))
      const next_cursor =
        rows.length > limit ? store.cursors.encode({ direction: 'next', values: [skip + limit] }, list) : null
      return { records, next_cursor, selected }

      async function find(from: RecordSource, chosen: string): Promise<PickedRecord | null> {
        const [row] = await ask(connectorId, recordQuery(from, chosen), 1, caller, signal)
        return row ? toRecord(row) : null
      }
    },
  }
}
export type RecordsService = ReturnType<typeof createRecordsService>

function told<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof QueryMistakes)) throw error
    invalid(error.mistakes.map(({ path, reason }) => ({ path: `body.parameter.${path}`, ...reason })))
  }
}
