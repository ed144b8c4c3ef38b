import { Autocomplete, Checkbox, Select, TagsInput, TextInput, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Connector, getResource, listResources } from '../../../contract/connectors.ts'
import { presetParameterTypes } from '../../../contract/explorer-presets.ts'
import { valueFieldOf } from '../../../language/query/record-query.ts'
import { useOperation } from '../../api/queries.ts'
import { ParameterInput } from './ParameterInput.tsx'
import classes from './explorer.module.css'
import { type DraftMistakes, type ParameterDraft, parameterOf } from './preset-parameters.rules.ts'

interface ParameterFieldsProps {
  connector: Connector
  draft: ParameterDraft
  mistakes: DraftMistakes
  onChange: (part: Partial<ParameterDraft>) => void
}

const freshMs = 60_000

/** What a preset asks for in place of `{{name}}`. */
export function ParameterFields({ connector, draft, mistakes, onChange }: ParameterFieldsProps) {
  const { t } = useTranslation('explorer')
  const { t: tUi } = useTranslation()
  const said = (key: keyof ParameterDraft): string | undefined => {
    const mistake = mistakes[key]
    if (mistake === undefined) return undefined
    return mistake === 'required' ? tUi('form.required') : t(`parameters.bad.${mistake}`)
  }
  const types = presetParameterTypes.filter((type) => type !== 'mongoRecord' || connector.type === 'mongodb')
  const isRecord = draft.type === 'mongoRecord'
  return (
    <fieldset className={classes.parameterFields}>
      <legend>{`{{${draft.name}}}`}</legend>
      <TextInput
        size="xs"
        label={t('presets.parameter.label')}
        withAsterisk
        value={draft.label}
        error={said('label')}
        onChange={(event) => onChange({ label: event.currentTarget.value })}
      />
      <Select
        size="xs"
        label={t('presets.parameter.type')}
        allowDeselect={false}
        data={types.map((value) => ({ value, label: t(`presets.parameter.types.${value}`) }))}
        value={draft.type}
        onChange={(type) => onChange({ type: type ?? 'string' })}
      />
      {isRecord ? <RecordFields connector={connector} draft={draft} said={said} onChange={onChange} /> : null}
      <ParameterInput
        // A default of another collection is none of this one.
        key={`${draft.type} ${draft.collection} ${draft.valueField}`}
        connectorId={connector.id}
        presetId={null}
        parameter={isRecord && draft.collection === '' ? { ...parameterOf(draft), type: 'string' } : parameterOf(draft)}
        label={t('presets.parameter.defaultValue')}
        required={false}
        value={draft.defaultValue}
        error={said('defaultValue')}
        onChange={(defaultValue) => onChange({ defaultValue })}
      />
      <Checkbox
        size="xs"
        label={t('presets.parameter.required')}
        checked={draft.required}
        onChange={(event) => onChange({ required: event.currentTarget.checked })}
      />
    </fieldset>
  )
}

function RecordFields({
  connector: { id },
  draft,
  said,
  onChange,
}: Omit<ParameterFieldsProps, 'mistakes'> & { said: (key: keyof ParameterDraft) => string | undefined }) {
  const { t } = useTranslation('explorer')
  const list = useOperation(listResources, { params: { id }, query: {} }, { staleTime: freshMs })
  const collections = (list.data?.resources ?? []).map(({ name }) => name)
  const detail = useOperation(
    getResource,
    { params: { id, name: draft.collection } },
    { enabled: collections.includes(draft.collection), staleTime: freshMs },
  )
  const names = [...new Set((detail.data?.columns ?? []).map(({ name }) => name))]
  const field = (key: 'valueField' | 'labelField', placeholder?: string) => (
    <Autocomplete
      size="xs"
      label={t(`presets.parameter.${key}`)}
      placeholder={placeholder}
      data={names}
      value={draft[key]}
      onChange={(next) => onChange({ [key]: next })}
    />
  )
  const fields = (key: 'descriptionFields' | 'searchFields') => (
    <TagsInput
      size="xs"
      label={t(`presets.parameter.${key}`)}
      data={names}
      value={draft[key]}
      onChange={(next) => onChange({ [key]: next })}
    />
  )
  const json = (key: 'filter' | 'sort', placeholder: string) => (
    <Textarea
      size="xs"
      label={t(`presets.parameter.${key}`)}
      placeholder={placeholder}
      autosize
      maxRows={8}
      spellCheck={false}
      value={draft[key]}
      error={said(key)}
      onChange={(event) => onChange({ [key]: event.currentTarget.value })}
    />
  )
  return (
    <>
      <Autocomplete
        size="xs"
        label={t('presets.parameter.collection')}
        withAsterisk
        data={collections}
        limit={50}
        value={draft.collection}
        error={said('collection')}
        onChange={(collection) => onChange({ collection })}
      />
      {field('valueField', valueFieldOf({}))}
      {field('labelField')}
      {fields('descriptionFields')}
      {fields('searchFields')}
      {json('filter', '{"active": true}')}
      {json('sort', '{"name": 1}')}
    </>
  )
}
