import { NativeSelect, Switch, TextInput, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Connector, environments } from '../../../contract/connectors.ts'
import { FormSection } from '../../ui/FormShell.tsx'
import { SchemaField } from './SchemaField.tsx'
import { SecretField } from './SecretField.tsx'
import type { ConnectorForm, Environment } from './connector-draft.ts'
import classes from './connectors.module.css'
import { type FieldGroup, groupOf, rowsOf } from './field-groups.ts'
import { type FieldSpec, isWanted } from './schema-form.ts'
import type { DraftState } from './use-connector-draft.ts'

interface FieldsProps {
  form: ConnectorForm
  connector?: Connector
  state: DraftState
  readOnly: boolean
  /** What the last test failed at, by field. */
  tested: Readonly<Record<string, string>>
}

/** What the sentences about problems may name. */
const noDetails = { minimum: '', maximum: '', least: '', most: '', wanted: '', name: '' }

/** The words for what is wrong with a field: found here, said by the server, or shown by a test. */
function useProblemText({ state, tested }: FieldsProps): (field: string) => string | undefined {
  const { t } = useTranslation('connectors')
  return (field) => {
    const problem = state.problems[field]
    if (problem) return t(`problem.${problem.code}`, { ...noDetails, ...problem })
    return state.failure?.detailFor(field)?.message ?? tested[field]
  }
}

function NameField(props: FieldsProps) {
  const { t } = useTranslation('connectors')
  const problemText = useProblemText(props)
  const { draft, change, failure } = props.state
  const nameTaken = failure?.status === 409 ? failure.message : undefined
  return (
    <TextInput
      label={t('form.name')}
      withAsterisk
      disabled={props.readOnly}
      error={problemText('name') ?? nameTaken}
      value={draft.name}
      onChange={(event) => change({ name: event.currentTarget.value })}
    />
  )
}

function GeneralFields(props: FieldsProps) {
  const { t } = useTranslation('connectors')
  const problemText = useProblemText(props)
  const { readOnly } = props
  const { draft, change } = props.state
  return (
    <FormSection title={t('form.general')}>
      <Textarea
        label={t('form.description')}
        autosize
        minRows={1}
        maxRows={6}
        disabled={readOnly}
        error={problemText('description')}
        value={draft.description}
        onChange={(event) => change({ description: event.currentTarget.value })}
      />
      <NativeSelect
        label={t('form.environment')}
        description={t('form.environmentHint')}
        disabled={readOnly}
        data={environments.map((value) => ({ value, label: t(`environment.${value}`) }))}
        value={draft.environment}
        // The options are the contract's own list.
        onChange={(event) => change({ environment: event.currentTarget.value as Environment })}
      />
      <Switch
        label={t('form.viewerRaw')}
        description={t('form.viewerRawHint')}
        disabled={readOnly}
        checked={draft.viewerRaw}
        onChange={(event) => change({ viewerRaw: event.currentTarget.checked })}
      />
    </FormSection>
  )
}

/** The fields of a type that belong together; secrets belong to signing in. */
function TypeFields({ group, ...props }: FieldsProps & { group: FieldGroup }) {
  const { t } = useTranslation('connectors')
  const problemText = useProblemText(props)
  const { form, connector, state, readOnly } = props
  const { draft, change } = state
  const fields = form.configFields.filter((field) => isWanted(field, draft.config) && groupOf(field) === group)
  // One that another sign-in method uses is shown where it stands in the way of saving.
  const secrets = form.secretFields.filter(
    (field) =>
      group === 'signIn' && (isWanted(field, draft.config) || problemText(`secrets.${field.name}`) !== undefined),
  )
  if (fields.length + secrets.length === 0) return null
  const renderField = (field: FieldSpec) =>
    secrets.includes(field) ? (
      <SecretField
        key={field.name}
        field={field}
        disabled={readOnly}
        stored={connector?.secrets[field.name]?.set ?? false}
        edit={draft.secrets[field.name] ?? { kind: 'keep' }}
        error={problemText(`secrets.${field.name}`)}
        onChange={(edit) => change({ secrets: { ...draft.secrets, [field.name]: edit } })}
      />
    ) : (
      <SchemaField
        key={field.name}
        field={field}
        disabled={readOnly}
        value={draft.config[field.name] ?? ''}
        error={problemText(`config.${field.name}`)}
        onChange={(value) => change({ config: { ...draft.config, [field.name]: value } })}
      />
    )
  return (
    <FormSection title={t(`form.${group}`)}>
      {rowsOf(fields, secrets).map((row) =>
        row.length === 1 ? (
          row.map(renderField)
        ) : (
          <div key={row[0]?.name} className={classes.pair} data-group={group}>
            {row.map(renderField)}
          </div>
        ),
      )}
      {secrets.length > 0 ? <p className={classes.secretsHint}>{t('form.secretsHint')}</p> : null}
    </FormSection>
  )
}

/** First what a connection needs, then what may stay as it is. */
export function ConnectorFields(props: FieldsProps) {
  return (
    <>
      <NameField {...props} />
      <TypeFields {...props} group="connection" />
      <TypeFields {...props} group="signIn" />
      <GeneralFields {...props} />
      <TypeFields {...props} group="options" />
      <TypeFields {...props} group="more" />
    </>
  )
}
