import { NativeSelect, Switch, TextInput, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { type Connector, environments } from '../../../contract/connectors.ts'
import { useSession } from '../../api/session.ts'
import { useCommands } from '../../commands/commands.ts'
import { FormSection, FormShell } from '../../ui/FormShell.tsx'
import { OvertakenNotice } from '../../ui/OvertakenNotice.tsx'
import { ConnectionTest } from './ConnectionTest.tsx'
import { SchemaField } from './SchemaField.tsx'
import { SecretField } from './SecretField.tsx'
import type { ConnectorForm as Form, Environment } from './connector-draft.ts'
import classes from './connectors.module.css'
import { fieldGroups, groupOf } from './field-groups.ts'
import { isWanted } from './schema-form.ts'
import { useConnectionTest } from './use-connection-test.ts'
import { type DraftState, useConnectorDraft } from './use-connector-draft.ts'

function ConflictNotice({
  state,
  form,
  onSaved,
}: {
  state: DraftState
  form: Form
  onSaved: (saved: Connector) => void
}) {
  const { t } = useTranslation('connectors')
  if (!state.conflict) return null
  const titles = new Map(form.configFields.map((field) => [`config.${field.name}`, field.title]))
  const fields = state.conflict.changed.map(
    (field) => titles.get(field) ?? t(`conflict.field.${field}`, { defaultValue: field }),
  )
  const overwrite = async () => {
    const saved = await state.overwrite()
    if (saved) onSaved(saved)
  }
  return (
    <OvertakenNotice
      overtaken={{ onKeep: () => void overwrite(), onTake: state.takeTheirs }}
      text={
        <>
          <b>{t('conflict.title')}</b>{' '}
          {t('conflict.text', { fields: fields.length > 0 ? fields.join(', ') : t('conflict.nothing') })}
        </>
      }
      keepLabel={t('conflict.overwrite')}
      apart
    />
  )
}

interface FieldsProps {
  form: Form
  connector?: Connector
  state: DraftState
  readOnly: boolean
}

/** What the sentences about problems may name. */
const noDetails = { minimum: '', maximum: '', least: '', most: '', wanted: '', name: '' }

/** The words for what is wrong with a field: found here, or said by the server. */
function useProblemText(state: DraftState): (field: string) => string | undefined {
  const { t } = useTranslation('connectors')
  return (field) => {
    const problem = state.problems[field]
    if (problem) return t(`problem.${problem.code}`, { ...noDetails, ...problem })
    return state.failure?.detailFor(field)?.message
  }
}

function GeneralFields({ state, readOnly }: FieldsProps) {
  const { t } = useTranslation('connectors')
  const problemText = useProblemText(state)
  const { draft, change, failure } = state
  const nameTaken = failure?.status === 409 ? failure.message : undefined
  return (
    <FormSection title={t('form.general')}>
      <TextInput
        label={t('form.name')}
        description={t('form.nameHint')}
        withAsterisk
        disabled={readOnly}
        error={problemText('name') ?? nameTaken}
        value={draft.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
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

function TypeFields({ form, connector, state, readOnly }: FieldsProps) {
  const { t } = useTranslation('connectors')
  const problemText = useProblemText(state)
  const { draft, change } = state
  const secrets = form.secretFields.filter((field) => isWanted(field, draft.config))
  const wanted = form.configFields.filter((field) => isWanted(field, draft.config))
  return fieldGroups.map((group) => {
    const fields = wanted.filter((field) => groupOf(field) === group)
    const here = group === 'signIn' ? secrets : []
    if (fields.length + here.length === 0) return null
    return (
      <FormSection key={group} title={t(`form.${group}`)}>
        {fields.map((field) => (
          <SchemaField
            key={field.name}
            field={field}
            disabled={readOnly}
            value={draft.config[field.name] ?? ''}
            error={problemText(`config.${field.name}`)}
            onChange={(value) => change({ config: { ...draft.config, [field.name]: value } })}
          />
        ))}
        {here.map((field) => (
          <SecretField
            key={field.name}
            field={field}
            disabled={readOnly}
            stored={connector?.secrets[field.name]?.set ?? false}
            edit={draft.secrets[field.name] ?? { kind: 'keep' }}
            error={problemText(`secrets.${field.name}`)}
            onChange={(edit) => change({ secrets: { ...draft.secrets, [field.name]: edit } })}
          />
        ))}
        {here.length > 0 ? <p className={classes.secretsHint}>{t('form.secretsHint')}</p> : null}
      </FormSection>
    )
  })
}

export interface ConnectorFormProps {
  form: Form
  connector?: Connector
  onSaved: (saved: Connector) => void
  onCancel?: () => void
}

/** A connector's fields beside its test; creates one, or changes one. */
export function ConnectorForm({ form, connector, onSaved, onCancel }: ConnectorFormProps) {
  const { t } = useTranslation('connectors')
  const { t: tUi } = useTranslation()
  const { can } = useSession()
  const readOnly = !can(connector ? 'updateConnector' : 'createConnector')
  const state = useConnectorDraft(form, connector)
  const { state: testState, error: testError, test } = useConnectionTest(form, state, connector)
  const save = async () => {
    const saved = await state.save()
    if (!saved) return
    notifications.show({ message: connector ? t('saved') : t('created') })
    onSaved(saved)
  }
  useCommands([
    {
      id: 'connector-test',
      title: t('test.run'),
      shortcut: 'mod+Enter',
      when: test !== undefined,
      run: () => test?.(),
    },
  ])
  const problemCount = Object.keys(state.problems).length
  const fields = { form, connector, state, readOnly }
  return (
    <div className={classes.columns}>
      <FormShell
        onSubmit={() => void save()}
        dirty={state.dirty}
        busy={state.busy}
        submitAlways={!connector}
        submitLabel={connector ? t('form.save') : t('form.create')}
        onCancel={onCancel}
        readOnly={readOnly}
        notice={
          readOnly ? (
            <p className={classes.muted}>{t('form.readOnly')}</p>
          ) : (
            <ConflictNotice state={state} form={form} onSaved={onSaved} />
          )
        }
        error={problemCount > 0 ? tUi('form.checkFields') : state.failure?.message}
      >
        <GeneralFields {...fields} />
        <TypeFields {...fields} />
      </FormShell>
      <aside className={classes.aside}>
        <ConnectionTest
          type={form.type}
          config={state.draft.config}
          state={testState}
          error={testError}
          onTest={test}
          unsaved={state.dirty}
          onTrust={
            readOnly || !form.configFields.some((field) => field.name === 'host_key')
              ? undefined
              : (key) => state.change({ config: { ...state.draft.config, host_key: key } })
          }
        />
      </aside>
    </div>
  )
}
