/** Parameters of a preset while they are edited: objects are text until they are saved. Pure. */
import type { PresetParameter } from '../../../contract/explorer-presets.ts'
import { isObjectId } from '../../../language/query/value-kinds.ts'

type Texts = 'defaultValue' | 'collection' | 'valueField' | 'labelField'
type Lists = 'descriptionFields' | 'searchFields'

export interface ParameterDraft
  extends Required<Pick<PresetParameter, 'name' | 'label' | 'type' | 'required' | Texts>>, Record<Lists, string[]> {
  /** JSON. */
  filter: string
  sort: string
}

export const draftOf = (parameter: PresetParameter): ParameterDraft => ({
  name: parameter.name,
  label: parameter.label,
  type: parameter.type,
  required: parameter.required ?? true,
  defaultValue: parameter.defaultValue ?? '',
  collection: parameter.collection ?? '',
  valueField: parameter.valueField ?? '',
  labelField: parameter.labelField ?? '',
  descriptionFields: parameter.descriptionFields ?? [],
  searchFields: parameter.searchFields ?? [],
  filter: parameter.filter ? JSON.stringify(parameter.filter, null, 1) : '',
  sort: parameter.sort ? JSON.stringify(parameter.sort) : '',
})

export type DraftMistake = 'required' | 'objectId' | 'object'
export type DraftMistakes = Partial<Record<keyof ParameterDraft, DraftMistake>>

const required: DraftMistake = 'required'

export function mistakesOf(draft: ParameterDraft): DraftMistakes {
  const { label, type, defaultValue, collection, filter, sort } = draft
  const isRecord = type === 'mongoRecord'
  return {
    ...(label.trim() === '' && { label: required }),
    ...(type === 'objectId' && defaultValue !== '' && !isObjectId(defaultValue) && { defaultValue: 'objectId' }),
    ...(isRecord && collection.trim() === '' && { collection: required }),
    ...(isRecord && objectIn(filter) === undefined && { filter: 'object' }),
    ...(isRecord && objectIn(sort) === undefined && { sort: 'object' }),
  }
}

/** As it is saved: what was left empty is not in it. */
export function parameterOf(draft: ParameterDraft): PresetParameter {
  const { name, label, type, required: isRequired, defaultValue, filter, sort, ...record } = draft
  return {
    name,
    label: label.trim(),
    type,
    ...(isRequired ? {} : { required: false }),
    ...(defaultValue !== '' && { defaultValue }),
    ...(type === 'mongoRecord' && {
      ...Object.fromEntries(Object.entries(record).filter(([, value]) => value.length > 0)),
      ...objectPart('filter', filter),
      ...objectPart('sort', sort),
    }),
  }
}

const objectPart = (key: 'filter' | 'sort', text: string) => {
  const value = objectIn(text)
  return value && { [key]: value }
}

/** null: the text is empty; undefined: it is no object. */
function objectIn(text: string): Record<string, unknown> | null | undefined {
  if (text.trim() === '') return null
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>) // parsed JSON
      : undefined
  } catch {
    return undefined
  }
}
