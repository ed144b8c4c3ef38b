/** Presets as bundles bring them: with one version, whose text is a JSON object, and with the name of their connector. */
import type { ExplorerPresetDefinition } from '../../../contract/explorer-presets.ts'
import { type Message, msg } from '../../../contract/messages.ts'
import { isTooDeep, mostLevels } from '../../platform/json-depth.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Judgement, RecordImports } from '../../platform/record-imports.ts'
import type { ConnectorsService } from '../connectors/connectors.service.ts'
import { readDefinition } from './definition-form.ts'
import { definitionMistakes } from './explorer-presets.rules.ts'
import { createExplorerPresetsStore } from './explorer-presets.store.ts'
import type { ExplorerPresetRow } from './explorer-presets.table.ts'

interface Named {
  name: string
  description: string | null
  /** null: for all connectors. */
  connector: string | null
  resource: string | null
  definition: ExplorerPresetDefinition
}
type PresetValues = Pick<ExplorerPresetRow, 'name' | 'description' | 'connector_id' | 'resource' | 'definition'>

export function createExplorerPresetImportsService(
  { store, events, clock }: Pick<Platform, 'store' | 'events' | 'clock'>,
  { connectors }: { connectors: Pick<ConnectorsService, 'named'> },
): RecordImports<PresetValues> {
  const presets = createExplorerPresetsStore(store)
  const changed = ({ id, name, connector_id, resource }: ExplorerPresetRow) =>
    events.append('explorer_preset.changed', id, { name, connector_id, resource, removed: false })

  return {
    find(name) {
      const record = presets.record(name)
      if (!record) return undefined
      const texts = new Map([[1, record.content]])
      return { id: record.id, current_version: 1, archived: false, tags: [], texts, newest: 1 }
    },
    judge(text): Judgement<PresetValues> {
      const read = readPreset(text)
      if ('mistake' in read) return refused([read.mistake])
      const { connector, ...values } = read.preset
      // Without its connector, a preset would be for all of them.
      const found = connector === null ? undefined : connectors.named(connector)
      if (connector !== null && !found) return refused([msg('preset_no_connector_named', { name: connector })])
      const mistakes = definitionMistakes(values.definition, found?.type)
      if (mistakes.length > 0)
        return refused(
          mistakes.map(({ path, ...reason }) => msg('preset_field_mistake', { path: pathOf(path), reason })),
        )
      return {
        valid: true,
        name: [values.name, connector, values.resource].filter((part) => part !== null).join(' · '),
        numbered: true,
        values: { ...values, connector_id: found?.id ?? null },
        diagnostics: [],
      }
    },
    create({ values }, created_by) {
      changed(presets.insert({ ...values, created_by, created_at: clock.iso() }))
    },
    change(id, { values }) {
      // Tags are all that could differ besides, and presets have none.
      if (values) changed(presets.save(id, values, clock.iso()))
    },
  }
}

const pathOf = (path: string) => path.replace(/^body\./, '')

const refused = (mistakes: readonly Message[]): Judgement<PresetValues> => ({
  valid: false,
  diagnostics: mistakes.map(({ code, params, message }) => ({
    severity: 'error',
    code: 'explorer_preset',
    params: { reason: code, ...params },
    message,
    path: '',
    line: 1,
    column: 1,
    end_line: 1,
    end_column: 1,
  })),
})

const isShort = (text: unknown, most: number): text is string =>
  typeof text === 'string' && text.trim() !== '' && text.length <= most && text.isWellFormed()

function readPreset(text: string): { preset: Named } | { mistake: Message } {
  const wrong = (path: string) => ({ mistake: msg('preset_field_wrong', { path }) })
  if (isTooDeep(text)) return { mistake: msg('too_many_levels', { most: mostLevels }) }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { mistake: msg('preset_no_object') }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { mistake: msg('preset_no_object') }
  const { name, description = null, connector = null, resource = null, definition } = value as Record<string, unknown> // an object
  if (!isShort(name, 200) || name.trim() !== name || /\p{Cc}/u.test(name)) return wrong('name')
  if (description !== null && (typeof description !== 'string' || description.length > 2000))
    return wrong('description')
  if (connector !== null && !isShort(connector, 200)) return wrong('connector')
  if (resource !== null && !isShort(resource, 1000)) return wrong('resource')
  if (resource !== null && connector === null) return wrong('connector')
  const read = readDefinition(definition)
  if ('definition' in read) return { preset: { name, description, connector, resource, definition: read.definition } }
  return wrong(read.wrong === '' ? 'definition' : `definition.${read.wrong}`)
}
