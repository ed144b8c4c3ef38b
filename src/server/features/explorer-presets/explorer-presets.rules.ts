/** What a preset’s definition must keep to: the rules of docs/explorer.md in code. Pure. */
import type { ErrorDetail } from '../../../contract/errors.ts'
import type { ExplorerPresetDefinition, PresetParameter } from '../../../contract/explorer-presets.ts'
import { type Message, msg } from '../../../contract/messages.ts'

const objectId = /^[0-9a-f]{24}$/i
/** Names of placeholders, each with the place of its first use. */
type Uses = Map<string, string>

const placeholder = /\{\{(\w+)\}\}/g

function noteUses(uses: Uses, text: string, path: string): void {
  for (const [, name = ''] of text.matchAll(placeholder)) if (!uses.has(name)) uses.set(name, path)
}

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
  const uses =
    definition.mode === 'raw' ? rawUses(definition, connectorType, complain) : visualUses(definition, complain)
  // What could not be read uses nothing that could be told.
  if (uses === null) return mistakes
  for (const [name, path] of uses) if (!declared.has(name)) complain(path, msg('preset_parameter_unknown', { name }))
  for (const [index, { name }] of parameters.entries())
    if (/^\w+$/.test(name) && !uses.has(name))
      complain(`parameters[${index}].name`, msg('preset_parameter_unused', { name }))
  return mistakes
}

/** Everything wrong with one parameter, as a body has it under `parameter`. */
export function parameterMistakes(parameter: PresetParameter, connectorType: string | undefined): ErrorDetail[] {
  const mistakes: ErrorDetail[] = []
  checkParameter(parameter, '', connectorType, (path, reason) => {
    mistakes.push({ path: `body.parameter${path}`, ...reason })
  })
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

function visualUses({ filters = [], values = [], sort = '' }: ExplorerPresetDefinition, complain: Complain): Uses {
  const uses: Uses = new Map()
  // A value must never decide which field or operator is meant.
  const plain = (path: string, text: string) => {
    if (text.search(placeholder) >= 0) complain(path, msg('preset_placeholder_in_key', { key: text.slice(0, 200) }))
  }
  for (const [index, { field, operator, value }] of filters.entries()) {
    plain(`filters[${index}].field`, field)
    plain(`filters[${index}].operator`, operator)
    noteUses(uses, value, `filters[${index}].value`)
  }
  for (const [index, { field, value }] of values.entries()) {
    plain(`values[${index}].field`, field)
    noteUses(uses, value, `values[${index}].value`)
  }
  plain('sort', sort)
  return uses
}

/** null: the text can't have parameters, which was told. */
function rawUses(
  { rawQuery = '', parameters = [] }: ExplorerPresetDefinition,
  connectorType: string | undefined,
  complain: Complain,
): Uses | null {
  const path = 'rawQuery'
  if (parameters.length === 0 && rawQuery.search(placeholder) < 0) return new Map()
  if (rawQuery.trim() === '') {
    complain(path, msg('preset_raw_empty'))
    return null
  }
  const query = connectorType === undefined || connectorType === 'mongodb' ? parsed(rawQuery) : undefined
  if (query === undefined) {
    complain(path, msg('preset_raw_not_json'))
    return null
  }
  const uses: Uses = new Map()
  const keys = new Set<string>()
  // However deep the text is nested.
  const left: unknown[] = [query]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value === 'string') noteUses(uses, value, path)
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) {
        if (key.search(placeholder) >= 0) keys.add(key.slice(0, 200))
        left.push(inner)
      }
  }
  for (const key of [...keys].slice(0, mostKeys)) complain(path, msg('preset_placeholder_in_key', { key }))
  return uses
}

/** Names of fields with placeholders that a refusal names. */
const mostKeys = 20

/** undefined: no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
