import { Alert, Button, Checkbox, Group, Modal, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { createApiKey } from '../../../contract/api-keys.ts'
import { type Role, type Scope, atLeast, roles, scopes } from '../../../contract/roles.ts'
import { useAction } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { CopyIcon } from '../../ui/CopyIcon.tsx'
import { type ExpiryChoice, expiryChoices, expiryOf } from './key-expiry.ts'
import classes from './settings.module.css'

interface Fields {
  name: string
  role: Role
  scopes: Scope[]
  expiry: ExpiryChoice
}

function MadeKey({ value, onDone }: { value: string; onDone: () => void }) {
  const { t } = useTranslation('settings')
  return (
    <>
      <Text size="sm">{t('keys.made.text')}</Text>
      <div className={classes.key}>
        <code data-testid="api-key">{value}</code>
        <CopyIcon value={value} />
      </div>
      <Text size="sm" c="dimmed">
        {t('keys.made.use')}
      </Text>
      <div className={classes.key}>
        <code>{`curl -H "Authorization: Bearer ${value}" ${globalThis.location.origin}/api/tasks`}</code>
        <CopyIcon value={`curl -H "Authorization: Bearer ${value}" ${globalThis.location.origin}/api/tasks`} />
      </div>
      <Group justify="flex-end">
        <Button onClick={onDone} data-autofocus>
          {t('keys.made.done')}
        </Button>
      </Group>
    </>
  )
}

function KeyForm({ onMade, onCancel }: { onMade: (key: string) => void; onCancel: () => void }) {
  const { t } = useTranslation('settings')
  const { t: tUi } = useTranslation()
  const { t: tShell } = useTranslation('shell')
  const { me } = useSession()
  const create = useAction(createApiKey, { invalidates: ['listApiKeys'] })
  const form = useForm<Fields>({ defaultValues: { name: '', role: me.user.role, scopes: [], expiry: 'quarter' } })
  const expiry = form.watch('expiry')
  const submit = form.handleSubmit((fields) => {
    const body = {
      name: fields.name.trim(),
      role: fields.role,
      expires_at: expiryOf(fields.expiry, new Date()),
      ...(fields.scopes.length > 0 ? { scopes: fields.scopes } : {}),
    }
    create.mutate({ body }, { onSuccess: (made) => onMade(made.key) })
  })
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap={12}>
        <TextInput
          label={t('keys.form.name')}
          description={t('keys.form.nameHint')}
          withAsterisk
          data-autofocus
          error={form.formState.errors.name?.message ?? create.error?.detailFor('name')?.message}
          {...form.register('name', { validate: (value) => value.trim() !== '' || tUi('form.required') })}
        />
        <NativeSelect
          label={t('keys.form.role')}
          description={t('keys.form.roleHint')}
          data={roles
            .filter((role) => atLeast(me.user.role, role))
            .map((role) => ({ value: role, label: tShell(`user.role.${role}`) }))}
          {...form.register('role')}
        />
        <Checkbox.Group
          label={t('keys.form.scopes')}
          description={t('keys.form.scopesHint')}
          value={form.watch('scopes')}
          onChange={(value) => form.setValue('scopes', value)}
        >
          <Stack gap={6} mt={6}>
            {scopes.map((scope) => (
              <Checkbox key={scope} value={scope} label={t(`keys.form.scope.${scope}`)} />
            ))}
          </Stack>
        </Checkbox.Group>
        <NativeSelect
          label={t('keys.form.expiry')}
          description={expiry === 'never' ? t('keys.form.neverHint') : undefined}
          data={expiryChoices.map((value) => ({ value, label: t(`keys.form.expiryChoice.${value}`) }))}
          {...form.register('expiry')}
        />
        {create.error ? (
          <Alert color="red" variant="light" p={8} role="alert">
            {create.error.message}
          </Alert>
        ) : null}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onCancel}>
            {tUi('form.cancel')}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {t('keys.form.create')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

export interface NewKeyDialogProps {
  opened: boolean
  /** The key that was just made, while it is shown; it lives nowhere else. */
  made: string | null
  onMade: (key: string) => void
  onClose: () => void
}

/** Asks for what a key may do, makes it, and shows it once. A stray click does not lose the key. */
export function NewKeyDialog({ opened, made, onMade, onClose }: NewKeyDialogProps) {
  const { t } = useTranslation('settings')
  const { t: tUi } = useTranslation()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      closeOnClickOutside={false}
      closeOnEscape={made === null}
      withCloseButton={made === null}
      title={<b>{made ? t('keys.made.title') : t('keys.new')}</b>}
      size={480}
      closeButtonProps={{ 'aria-label': tUi('close') }}
    >
      {made ? <MadeKey value={made} onDone={onClose} /> : <KeyForm onMade={onMade} onCancel={onClose} />}
    </Modal>
  )
}
