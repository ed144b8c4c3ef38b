import { Button, Checkbox, Group, NativeSelect, Radio, Stack, Text, TextInput } from '@mantine/core'
import { Fragment, useId } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { createApiKey } from '../../../contract/api-keys.ts'
import { type Role, type Scope, atLeast, roles, scopes } from '../../../contract/roles.ts'
import { useAction } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { CopyIcon } from '../../ui/CopyIcon.tsx'
import classes from './api-keys.module.css'
import { type ExpiryChoice, expiryChoices, expiryOf } from './key-expiry.ts'
import { dateText } from '../../ui/format.ts'
import { DialogFoot } from '../../ui/DialogFoot.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'

interface Fields {
  name: string
  role: Role
  /** Only the scopes; else all that the role allows. */
  narrowed: boolean
  scopes: Scope[]
  expiry: ExpiryChoice
}

/** What a viewer may do starts nothing and writes nothing: a key of that role has no use for these. */
const beyond = (role: Role, scope: Scope) => role === 'viewer' && (scope === 'run' || scope === 'write')

const usable = (role: Role, chosen: Scope[]) => chosen.filter((scope) => !beyond(role, scope))

function MadeKey({ value, onDone }: { value: string; onDone: () => void }) {
  const { t } = useTranslation('apiKeys')
  const example = `curl -H "Authorization: Bearer ${value}" ${globalThis.location.origin}/api/tasks`
  return (
    <>
      <Text size="sm">{t('made.text')}</Text>
      <div className={classes.key}>
        <code data-testid="api-key">{value}</code>
        <CopyIcon value={value} label={t('made.copy')} />
      </div>
      <Text size="sm" c="dimmed">
        {t('made.use')}
      </Text>
      <div className={classes.key}>
        <code>{example}</code>
        <CopyIcon value={example} label={t('made.copyCall')} />
      </div>
      <Group justify="flex-end">
        <Button onClick={onDone} data-autofocus>
          {t('made.done')}
        </Button>
      </Group>
    </>
  )
}

/** Without scopes a key may do the most: that is a choice to be made, not the last box to be cleared. */
function ScopeChoice({ form, role }: { form: UseFormReturn<Fields>; role: Role }) {
  const { t } = useTranslation('apiKeys')
  const narrowed = form.watch('narrowed')
  const words = useId()
  const last = scopes.findLast((scope) => beyond(role, scope))
  form.register('scopes', {
    validate: (value, { narrowed: only }) => !only || usable(role, value).length > 0 || t('form.scopeMissing'),
  })
  return (
    <>
      <Radio.Group
        label={t('form.access')}
        value={narrowed ? 'some' : 'all'}
        onChange={(value) => {
          form.setValue('narrowed', value === 'some')
          form.clearErrors('scopes')
        }}
      >
        <Stack gap={6} mt={6}>
          <Radio value="all" label={t('form.accessAll')} description={t('form.accessAllHint')} />
          <Radio value="some" label={t('form.accessSome')} />
        </Stack>
      </Radio.Group>
      {narrowed ? (
        <Checkbox.Group
          label={t('form.scopes')}
          error={form.formState.errors.scopes?.message}
          value={form.watch('scopes')}
          onChange={(value) => {
            form.setValue('scopes', value)
            form.clearErrors('scopes')
          }}
        >
          <Stack gap={6} my={6}>
            {scopes.map((scope) => (
              <Fragment key={scope}>
                <Checkbox
                  value={scope}
                  label={t(
                    scope === 'admin' && !atLeast(role, 'admin') ? 'form.scope.adminOwn' : `form.scope.${scope}`,
                  )}
                  disabled={beyond(role, scope)}
                  aria-describedby={beyond(role, scope) ? words : undefined}
                />
                {scope === last ? (
                  <div id={words} className={classes.beyond}>
                    {t('form.scopeBeyond')}
                  </div>
                ) : null}
              </Fragment>
            ))}
          </Stack>
        </Checkbox.Group>
      ) : null}
    </>
  )
}

function KeyForm({ onMade, onCancel }: { onMade: (key: string) => void; onCancel: () => void }) {
  const { t } = useTranslation('apiKeys')
  const { t: tUi } = useTranslation()
  const { t: tShell } = useTranslation('shell')
  const { me } = useSession()
  const create = useAction(createApiKey, { invalidates: ['listApiKeys'] })
  const form = useForm<Fields>({
    defaultValues: { name: '', role: 'viewer', narrowed: true, scopes: ['read'], expiry: 'quarter' },
  })
  const expiry = form.watch('expiry')
  const role = form.watch('role')
  const until = expiryOf(expiry, new Date())
  const submit = form.handleSubmit((fields) => {
    const body = {
      name: fields.name.trim(),
      role: fields.role,
      expires_at: expiryOf(fields.expiry, new Date()),
      ...(fields.narrowed ? { scopes: usable(fields.role, fields.scopes) } : {}),
    }
    create.mutate({ body }, { onSuccess: (made) => onMade(made.key) })
  })
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap={12}>
        <TextInput
          label={t('form.name')}
          description={t('form.nameHint')}
          withAsterisk
          data-autofocus
          maxLength={200}
          error={form.formState.errors.name?.message ?? create.error?.detailFor('name')?.message}
          {...form.register('name', { validate: (value) => value.trim() !== '' || tUi('form.required') })}
        />
        <NativeSelect
          label={t('form.role')}
          description={t('form.roleHint')}
          data={roles
            .filter((one) => atLeast(me.user.role, one))
            .map((one) => ({ value: one, label: tShell(`user.role.${one}`) }))}
          {...form.register('role')}
        />
        <ScopeChoice form={form} role={role} />
        <NativeSelect
          label={t('form.expiry')}
          description={
            until === undefined ? (
              <span className={classes.never}>{t('form.neverHint')}</span>
            ) : (
              t('form.until', { date: dateText(new Date(until), 'day') })
            )
          }
          data={expiryChoices.map((value) => ({ value, label: t(`form.expiryChoice.${value}`) }))}
          {...form.register('expiry')}
        />
        <DialogFoot
          error={create.error?.message}
          submitLabel={t('form.create')}
          busy={create.isPending}
          onCancel={onCancel}
        />
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
  const { t } = useTranslation('apiKeys')
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      stays={made !== null}
      title={made ? t('made.title') : t('form.create')}
      size={480}
    >
      {made ? <MadeKey value={made} onDone={onClose} /> : <KeyForm onMade={onMade} onCancel={onClose} />}
    </FormDialog>
  )
}
