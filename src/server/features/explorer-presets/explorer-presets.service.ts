import type { ExplorerPreset, createExplorerPreset, listExplorerPresets } from '../../../contract/explorer-presets.ts'
import { msg } from '../../../contract/messages.ts'
import type { BodyOf, QueryOf } from '../../../contract/operation.ts'
import { allowsOthers } from '../../../contract/policy.ts'
import type { Caller } from '../../platform/caller.ts'
import type { Platform } from '../../platform/platform.ts'
import { recordName } from '../../platform/record-name.ts'
import { forbidden, invalid, notFound } from '../../platform/refusal.ts'
import type { ConnectorsService } from '../connectors/connectors.service.ts'
import { readDefinition } from './definition-form.ts'
import { definitionMistakes, parameterMistakes } from './explorer-presets.rules.ts'
import { createExplorerPresetsStore } from './explorer-presets.store.ts'
import type { ExplorerPresetRow } from './explorer-presets.table.ts'

type Body = BodyOf<typeof createExplorerPreset>

/** That one refusal names. */
const mostMistakes = 50

export type ExplorerPresetsService = ReturnType<typeof createExplorerPresetsService>

export function createExplorerPresetsService(
  { store, clock, events }: Platform,
  { connectors }: { connectors: Pick<ConnectorsService, 'typeOf'> },
) {
  const presets = createExplorerPresetsStore(store)
  const need = (id: number): ExplorerPresetRow => presets.get(id) ?? notFound()
  const changed = ({ id, name, connector_id, resource }: ExplorerPresetRow, removed = false) =>
    events.append('explorer_preset.changed', id, { name, connector_id, resource, removed })

  function checked(body: Body, before?: ExplorerPresetRow) {
    const { connector_id = null, resource = null, description = null, definition } = body
    const name = recordName(body.name, { before: before?.name })
    const type = connector_id === null ? undefined : connectors.typeOf(connector_id)
    const scope =
      connector_id === null && resource !== null
        ? [{ path: 'body.resource', ...msg('preset_needs_connector') }]
        : connector_id !== null && type === undefined
          ? [{ path: 'body.connector_id', ...msg('preset_no_connector', { id: connector_id }) }]
          : []
    const mistakes = [...scope, ...definitionMistakes(definition, type)]
    if (mistakes.length > 0) invalid(mistakes.slice(0, mostMistakes))
    return { name, description, connector_id, resource, definition }
  }

  /** The preset, if the caller may change it. */
  function own(id: number, caller: Caller, op: 'updateExplorerPreset' | 'deleteExplorerPreset'): ExplorerPresetRow {
    const preset = need(id)
    if (preset.created_by !== caller.user_id && !allowsOthers(op, caller.role, 'viewer'))
      forbidden(msg('preset_of_other'))
    return preset
  }

  return {
    /** Everything wrong with a definition; `type`: of its connector. */
    mistakes: definitionMistakes,
    /** Of a value that no request has brought: the definition, or the path of what is wrong in its form. */
    read: readDefinition,
    parameterMistakes,
    find: (id: number): ExplorerPresetRow | undefined => presets.get(id),
    list(query: QueryOf<typeof listExplorerPresets>) {
      if (query.resource !== undefined && query.connector_id === undefined)
        invalid([{ path: 'query.resource', ...msg('preset_needs_connector') }])
      const { rows, ...page } = presets.list(query)
      return { result: rows.map(present), ...page }
    },
    get: (id: number): ExplorerPreset => present(need(id)),
    etag: (id: number): string => etagOf(need(id)),

    create: (body: Body, caller: Caller): ExplorerPreset =>
      store.transaction(() => {
        const preset = presets.insert({ ...checked(body), created_by: caller.user_id, created_at: clock.iso() })
        changed(preset)
        return present(preset)
      }),

    update: (id: number, body: Body, caller: Caller, guard: (etag: string) => void): ExplorerPreset =>
      store.transaction(() => {
        const before = own(id, caller, 'updateExplorerPreset')
        guard(etagOf(before))
        const preset = presets.save(id, checked(body, before), clock.iso())
        changed(preset)
        return present(preset)
      }),

    remove: (id: number, caller: Caller): void =>
      store.transaction(() => {
        changed(own(id, caller, 'deleteExplorerPreset'), true)
        presets.remove(id)
      }),
  }
}

const present = ({ search_text: _, revision: __, ...preset }: ExplorerPresetRow): ExplorerPreset => preset
const etagOf = ({ id, revision }: ExplorerPresetRow) => `explorer-preset-${id}-${revision}`
