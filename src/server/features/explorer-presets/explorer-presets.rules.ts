/** What a preset’s definition must keep to: the rules of docs/explorer.md in code. Pure. */
import type { ErrorDetail } from '../../../contract/errors.ts'
import type { ExplorerPresetDefinition, PresetParameter } from '../../../contract/explorer-presets.ts'
import { type Message, msg } from '../../../contract/messages.ts'

const objectId = /^[0-9a-f]{24}$/i
const placeholder = /\{\{(\w+)\}\}/g

/** A placeholder and where it was written. */
interface Use {
  name: string
  path: string
}

const usesIn = (text: string, path: string): Use[] =>
  [...text.matchAll(placeholder)].map(([, name = '']) => ({ name, path }))

/** Everything wrong with a definition, each with its path. `connectorType`: of the preset's connector, if it has one. */
export function definitionMistakes(
  definition: ExplorerPresetDefinition,
  connectorType: string | undefined,
): ErrorDetail[] {
  const mistakes: ErrorDetail[] = []
  const complain = (path: string, reason: Message) => void mistakes.push({ path: `body.definition.${path}`, ...reason })
  const { parameters = [] } = definition
  const declared = new Set<string>()
  for (const [index, parameter] of parameters.entries()) {
    const path = `parameters[${index}]`
    checkParameter(parameter, path, connectorType, complain)
    if (declared.has(parameter.name)) complain(`${path}.name`, msg('preset_parameter_twice', { name: parameter.name }))
    declared.add(parameter.name)
  }
  const uses = definition.mode === 'raw' ? rawUses(definition, complain) : visualUses(definition)
  // What could not be read uses nothing that could be told.
  if (uses === null) return mistakes
  for (const { name, path } of uses) if (!declared.has(name)) complain(path, msg('preset_parameter_unknown', { name }))
  const used = new Set(uses.map(({ name }) => name))
  for (const [index, { name }] of parameters.entries())
    if (/^\w+$/.test(name) && !used.has(name))
      complain(`parameters[${index}].name`, msg('preset_parameter_unused', { name }))
  return mistakes
}

type Complain = (path: string, reason: Message) => void

function checkParameter(
  parameter: PresetParameter,
  path: string,
  connectorType: string | undefined,
  complain: Complain,
) {
  const { name, label, type, collection, defaultValue } = parameter
  if (name === '') complain(`${path}.name`, msg('field_empty'))
  else if (!/^\w+$/.test(name)) complain(`${path}.name`, msg('preset_parameter_name'))
  if (label.trim() === '') complain(`${path}.label`, msg('field_empty'))
  if (type === 'mongoRecord') {
    if ((collection ?? '').trim() === '') complain(`${path}.collection`, msg('preset_collection_missing'))
    if (connectorType !== 'mongodb') complain(`${path}.type`, msg('preset_connector_not_mongodb'))
  }
  if (type === 'objectId' && defaultValue !== undefined && !objectId.test(defaultValue))
    complain(`${path}.defaultValue`, msg('preset_default_no_object_id'))
}

function visualUses({ filters = [], values = [] }: ExplorerPresetDefinition): Use[] {
  return [
    ...filters.flatMap(({ value }, index) => usesIn(value, `filters[${index}].value`)),
    ...values.flatMap(({ value }, index) => usesIn(value, `values[${index}].value`)),
  ]
}

/** null: the text can't have parameters, which was told. */
function rawUses({ rawQuery = '', parameters = [] }: ExplorerPresetDefinition, complain: Complain): Use[] | null {
  const path = 'rawQuery'
  if (parameters.length === 0 && usesIn(rawQuery, path).length === 0) return []
  if (rawQuery.trim() === '') {
    complain(path, msg('preset_raw_empty'))
    return null
  }
  let query: unknown
  try {
    query = JSON.parse(rawQuery)
  } catch {
    complain(path, msg('preset_raw_not_json'))
    return null
  }
  const uses: Use[] = []
  const look = (value: unknown): void => {
    if (typeof value === 'string') uses.push(...usesIn(value, path))
    else if (Array.isArray(value)) value.forEach(look)
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) {
        // A value must never decide which field or operator is meant.
        if (usesIn(key, path).length > 0) complain(path, msg('preset_placeholder_in_key', { key }))
        look(inner)
      }
  }
  look(query)
  return uses
}
