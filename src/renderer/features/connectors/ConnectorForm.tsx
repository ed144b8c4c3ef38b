import { NativeSelect, Switch, TextInput, Textarea } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import { notifications } from '@mantine/notifications'
import type { ClipboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { type Connector, environments, listConnectorTypes } from '../../../contract/connectors.ts'
import { useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { connectorTypeTexts, useInLanguage } from '../../i18n/server-texts.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { FormSection, FormShell } from '../../ui/FormShell.tsx'
import { OvertakenNotice } from '../../ui/OvertakenNotice.tsx'
import { ConnectionTest } from './ConnectionTest.tsx'
import { SchemaField } from './SchemaField.tsx'
import { SecretField } from './SecretField.tsx'
import { UrlField } from './UrlField.tsx'
import { type ReadUrl, hasPassword, readConnectionUrl } from './connection-url.ts'
import { type ConnectorForm as Form, type Environment, filledFrom } from './connector-draft.ts'
import classes from './connectors.module.css'
import { failingFields } from './failing-fields.ts'
import { fieldGroups, groupOf, isPlace } from './field-groups.ts'
import { type FieldSpec, isWanted } from './schema-form.ts'
import { useStageName } from './stage-name.ts'
import { useConnectionTest } from './use-connection-test.ts'
import { urlExamples } from './type-looks.tsx'
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

function GeneralFields(props: FieldsProps) {
  const { t } = useTranslation('connectors')
  const problemText = useProblemText(props)
  const { state, readOnly } = props
  const { draft, change, failure } = state
  const nameTaken = failure?.status === 409 ? failure.message : undefined
  return (
    <FormSection title={t('form.general')}>
      <TextInput
        label={t('form.name')}
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

/** What stands on one line together: a host with its port. */
function rowsOf(fields: readonly FieldSpec[]): FieldSpec[][] {
  const places = fields.filter(isPlace)
  if (places.length < 2) return fields.map((field) => [field])
  return fields
    .filter((field) => !isPlace(field) || field === places[0])
    .map((field) => (isPlace(field) ? places : [field]))
}

function TypeFields(props: FieldsProps) {
  const { t } = useTranslation('connectors')
  const problemText = useProblemText(props)
  const { form, connector, state, readOnly } = props
  const { draft, change } = state
  // One that another sign-in method uses is shown where it stands in the way of saving.
  const secrets = form.secretFields.filter(
    (field) => isWanted(field, draft.config) || problemText(`secrets.${field.name}`) !== undefined,
  )
  const wanted = form.configFields.filter((field) => isWanted(field, draft.config))
  const fieldOf = (field: FieldSpec) => (
    <SchemaField
      key={field.name}
      field={field}
      disabled={readOnly}
      value={draft.config[field.name] ?? ''}
      error={problemText(`config.${field.name}`)}
      onChange={(value) => change({ config: { ...draft.config, [field.name]: value } })}
    />
  )
  return fieldGroups.map((group) => {
    const fields = wanted.filter((field) => groupOf(field) === group)
    const here = group === 'signIn' ? secrets : []
    if (fields.length + here.length === 0) return null
    return (
      <FormSection key={group} title={t(`form.${group}`)}>
        {rowsOf(fields).map((row) =>
          row.length === 1 ? (
            row.map(fieldOf)
          ) : (
            <div key={row[0]?.name} className={classes.place}>
              {row.map(fieldOf)}
            </div>
          ),
        )}
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

/** Marks the fields that the shown test failed at, until something is changed. */
function useTestedFields(form: Form, shown: ReturnType<typeof useConnectionTest>): Readonly<Record<string, string>> {
  const { t } = useTranslation('connectors')
  const stageName = useStageName()
  const { state, isCurrent } = shown
  if (state.phase !== 'done' || !isCurrent) return {}
  const failed = state.result.checks.find((check) => !check.ok)
  if (!failed) return {}
  const text = t('test.failedAt', { stage: stageName(form.type, failed.name) })
  return Object.fromEntries(failingFields(form, state.result).map((field) => [field, text]))
}

/** Fills the fields from a URL; says why it can't. */
function useFill(form: Form, state: DraftState) {
  const { t } = useTranslation('connectors')
  const types = useInLanguage(useOperation(listConnectorTypes).data, connectorTypeTexts)
  return (read: ReadUrl): string | undefined => {
    if (!read.types.some((type) => type === form.type)) {
      const [other] = read.types
      return t('url.otherType', { type: types?.find(({ type }) => type === other)?.title ?? other ?? '' })
    }
    state.change(filledFrom(state.draft, read))
    return undefined
  }
}

export interface ConnectorFormProps {
  form: Form
  connector?: Connector
  /** What a pasted URL says of a new one. */
  pasted?: ReadUrl | null
  onSaved: (saved: Connector) => void
  onCancel?: () => void
}

/** A connector's fields beside its test; creates one, or changes one. */
export function ConnectorForm({ form, connector, pasted, onSaved, onCancel }: ConnectorFormProps) {
  const { t } = useTranslation('connectors')
  const { t: tUi } = useTranslation()
  const { can } = useSession()
  const readOnly = !can(connector ? 'updateConnector' : 'createConnector')
  const state = useConnectorDraft(form, connector, pasted)
  const shown = useConnectionTest(form, state, connector)
  const fill = useFill(form, state)
  const save = async () => {
    const saved = await state.save()
    if (!saved) return
    notifications.show({ message: connector ? t('saved') : t('created') })
    onSaved(saved)
  }
  /** A URL with a password that is pasted into any other field is taken apart, too. */
  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text')
    const read = !readOnly && hasPassword(text) ? readConnectionUrl(text) : undefined
    if (!read) return
    event.preventDefault()
    event.stopPropagation()
    const problem = fill(read)
    if (problem !== undefined) notifications.show({ color: 'red', message: problem })
  }
  const problemCount = Object.keys(state.problems).length
  const fields = { form, connector, state, readOnly, tested: useTestedFields(form, shown) }
  const example = urlExamples[form.type]
  return (
    <div className={classes.columns}>
      <div onPasteCapture={onPaste}>
        <FormShell
          onSubmit={() => void save()}
          dirty={state.dirty}
          busy={state.busy}
          submitAlways={!connector}
          submitLabel={connector ? t('form.save') : t('form.create')}
          onCancel={onCancel}
          readOnly={readOnly}
          extra={
            shown.test ? (
              <CommandButton
                id="connector-test"
                needsServer
                label={t('test.run')}
                variant="default"
                loading={shown.state.phase === 'running'}
                icon={IconPlugConnected}
                onClick={shown.test}
                shortcut="mod+Enter"
              />
            ) : null
          }
          notice={
            readOnly ? (
              <p className={classes.muted}>{t('form.readOnly')}</p>
            ) : (
              <ConflictNotice state={state} form={form} onSaved={onSaved} />
            )
          }
          error={problemCount > 0 ? tUi('form.checkFields') : state.failure?.message}
        >
          {example && !readOnly ? <UrlField placeholder={example} onRead={fill} /> : null}
          <GeneralFields {...fields} />
          <TypeFields {...fields} />
        </FormShell>
      </div>
      <aside className={classes.aside}>
        <ConnectionTest
          type={form.type}
          config={state.draft.config}
          state={shown.state}
          error={shown.error}
          onTest={readOnly ? shown.test : undefined}
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
