import { NativeSelect, NumberInput, PasswordInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { webhookFormats } from '../../../contract/notifications.ts'
import { type ChannelDraft, type MailTls, type WebhookFormat, chatNames, isChat } from './channel-draft.ts'

export interface ChannelFieldsProps {
  draft: ChannelDraft
  change: (values: Partial<ChannelDraft>) => void
  /** A secret of this name is stored at the server; its value is never given out. */
  stored: (name: string) => boolean
  errorOf: (field: keyof ChannelDraft, path: string) => string | undefined
}

function WebhookFields(props: ChannelFieldsProps) {
  const { draft, change } = props
  const { t } = useTranslation('notifications')
  return (
    <>
      <NativeSelect
        label={t('form.format')}
        value={draft.format}
        data={webhookFormats.map((value) => ({ value, label: chatNames[value] || t('form.formatOwn') }))}
        // The options are the contract's own list.
        onChange={(event) => change({ format: event.currentTarget.value as WebhookFormat })}
      />
      {isChat(draft.format) ? <ChatAddress {...props} /> : <OwnAddress {...props} />}
    </>
  )
}

function ChatAddress({ draft, change, stored, errorOf }: ChannelFieldsProps) {
  const { t } = useTranslation('notifications')
  return (
    <PasswordInput
      size="xs"
      label={t('form.chatUrl')}
      description={t(draft.format === 'slack' ? 'form.slackHint' : 'form.teamsHint')}
      withAsterisk
      placeholder={stored('url') ? t('form.stored') : 'https://'}
      autoComplete="new-password"
      value={draft.secretUrl}
      error={errorOf('secretUrl', 'secrets.url')}
      onChange={(event) => change({ secretUrl: event.currentTarget.value })}
    />
  )
}

function OwnAddress({ draft, change, stored, errorOf }: ChannelFieldsProps) {
  const { t } = useTranslation('notifications')
  return (
    <>
      <TextInput
        label={t('form.url')}
        description={t('form.urlHint')}
        withAsterisk
        placeholder={stored('url') ? t('form.stored') : 'https://'}
        value={draft.url}
        error={errorOf('url', 'config.url')}
        onChange={(event) => change({ url: event.currentTarget.value })}
      />
      <PasswordInput
        size="xs"
        label={t('form.secret')}
        description={t('form.secretHint')}
        placeholder={stored('signing_secret') ? t('form.stored') : undefined}
        autoComplete="new-password"
        value={draft.secret}
        error={errorOf('secret', 'secrets.signing_secret')}
        onChange={(event) => change({ secret: event.currentTarget.value })}
      />
    </>
  )
}

const tlsChoices = ['starttls', 'implicit', 'none'] as const satisfies readonly MailTls[]

function MailServer({ draft, change, errorOf }: ChannelFieldsProps) {
  const { t } = useTranslation('notifications')
  return (
    <div style={{ display: 'grid', gridTemplateColumns: '1fr 90px 150px', gap: 8 }}>
      <TextInput
        label={t('form.host')}
        withAsterisk
        value={draft.host}
        error={errorOf('host', 'config.host')}
        onChange={(event) => change({ host: event.currentTarget.value })}
      />
      <NumberInput
        size="xs"
        label={t('form.port')}
        withAsterisk
        min={1}
        max={65_535}
        allowDecimal={false}
        hideControls
        value={draft.port}
        error={errorOf('port', 'config.port')}
        onChange={(port) => change({ port })}
      />
      <NativeSelect
        label={t('form.tls')}
        value={draft.tls}
        data={tlsChoices.map((value) => ({ value, label: t(`form.tlsChoice.${value}`) }))}
        // The options are the list above.
        onChange={(event) => change({ tls: event.currentTarget.value as MailTls })}
      />
    </div>
  )
}

function MailFields(props: ChannelFieldsProps) {
  const { draft, change, stored, errorOf } = props
  const { t } = useTranslation('notifications')
  return (
    <>
      <MailServer {...props} />
      <div style={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 8 }}>
        <TextInput
          label={t('form.user')}
          autoComplete="off"
          value={draft.user}
          error={errorOf('user', 'config.user')}
          onChange={(event) => change({ user: event.currentTarget.value })}
        />
        <PasswordInput
          size="xs"
          label={t('form.password')}
          placeholder={stored('password') ? t('form.stored') : undefined}
          autoComplete="new-password"
          value={draft.password}
          error={errorOf('password', 'secrets.password')}
          onChange={(event) => change({ password: event.currentTarget.value })}
        />
      </div>
      <TextInput
        label={t('form.from')}
        withAsterisk
        value={draft.from}
        error={errorOf('from', 'config.from')}
        onChange={(event) => change({ from: event.currentTarget.value })}
      />
      <TextInput
        label={t('form.to')}
        description={t('form.toHint')}
        withAsterisk
        value={draft.to}
        error={errorOf('to', 'config.to')}
        onChange={(event) => change({ to: event.currentTarget.value })}
      />
    </>
  )
}

/** What belongs to the type alone. */
export function ChannelFields(props: ChannelFieldsProps) {
  if (props.draft.type === 'webhook') return <WebhookFields {...props} />
  if (props.draft.type === 'email') return <MailFields {...props} />
  return null
}
