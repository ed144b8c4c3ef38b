import { IconPlugConnected } from '@tabler/icons-react'
import { notifications } from '@mantine/notifications'
import type { ClipboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { type Connector, listConnectorTypes } from '../../../contract/connectors.ts'
import { useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { connectorTypeTexts, useInLanguage } from '../../i18n/server-texts.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { FormShell } from '../../ui/FormShell.tsx'
import { OvertakenNotice } from '../../ui/OvertakenNotice.tsx'
import { ConnectionTest } from './ConnectionTest.tsx'
import { ConnectorFields } from './ConnectorFields.tsx'
import { UrlField } from './UrlField.tsx'
import { type ReadUrl, hasPassword, readConnectionUrl } from './connection-url.ts'
import { type ConnectorForm as Form, filledFrom } from './connector-draft.ts'
import classes from './connectors.module.css'
import { failingFields } from './failing-fields.ts'
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
          <ConnectorFields {...fields} />
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
