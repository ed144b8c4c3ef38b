import { ActionIcon, Group, Stack, TextInput } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Role } from '../../../contract/roles.ts'
import { createUser } from '../../../contract/users.ts'
import { useAction } from '../../api/queries.ts'
import { CopyIcon } from '../../ui/CopyIcon.tsx'
import { Hint } from '../../ui/Hint.tsx'
import { DialogFoot } from '../../ui/DialogFoot.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { useMinLength } from '../sign-in/NewPassword.tsx'
import type { Given } from './GivenOnce.tsx'
import { RoleChoice } from './RoleChoice.tsx'
import { newPassword } from './new-password.ts'
import classes from './users.module.css'

interface Draft {
  username: string
  display_name: string
  email: string
  role: Role
  password: string
}

const fieldNames = ['username', 'display_name', 'email', 'role', 'password'] as const

function UserForm({ onMade, onCancel }: { onMade: (given: Given) => void; onCancel: () => void }) {
  const { t } = useTranslation('users')
  const { t: tUi } = useTranslation()
  const minLength = useMinLength()
  const create = useAction(createUser, { invalidates: ['listUsers'] })
  const [tried, setTried] = useState(false)
  const [draft, setDraft] = useState<Draft>(() => ({
    username: '',
    display_name: '',
    email: '',
    role: 'viewer',
    password: newPassword(minLength),
  }))
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }))
  const detail = (field: keyof Draft) => create.error?.detailFor(field)?.message
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (draft.username.trim() === '' || draft.password === '') return
    const body = {
      username: draft.username.trim(),
      password: draft.password,
      role: draft.role,
      display_name: draft.display_name.trim() || null,
      email: draft.email.trim() || null,
    }
    create.mutate(
      { body },
      { onSuccess: (made) => onMade({ username: made.username, password: draft.password, isNew: true }) },
    )
  }
  const otherError = create.error && !fieldNames.some((field) => detail(field))
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap={12}>
        <Group grow align="flex-start" gap={12}>
          <TextInput
            label={t('form.username')}
            withAsterisk
            data-autofocus
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            value={draft.username}
            error={detail('username') ?? (tried && draft.username.trim() === '' ? tUi('form.required') : undefined)}
            onChange={(event) => set({ username: event.currentTarget.value })}
          />
          <TextInput
            label={t('form.displayName')}
            autoComplete="off"
            maxLength={200}
            value={draft.display_name}
            error={detail('display_name')}
            onChange={(event) => set({ display_name: event.currentTarget.value })}
          />
        </Group>
        <TextInput
          label={t('form.email')}
          type="email"
          autoComplete="off"
          maxLength={320}
          value={draft.email}
          error={detail('email')}
          onChange={(event) => set({ email: event.currentTarget.value })}
        />
        <RoleChoice value={draft.role} onChange={(role) => set({ role })} error={detail('role')} />
        <TextInput
          label={t('form.password')}
          description={t('form.passwordHint')}
          classNames={{ input: classes.password }}
          autoComplete="off"
          spellCheck={false}
          maxLength={1024}
          value={draft.password}
          error={detail('password') ?? (tried && draft.password === '' ? tUi('form.required') : undefined)}
          onChange={(event) => set({ password: event.currentTarget.value })}
          rightSectionWidth={60}
          rightSection={
            <Group gap={2} wrap="nowrap">
              <CopyIcon value={draft.password} label={t('form.copyPassword')} />
              <Hint label={t('form.anotherPassword')}>
                <ActionIcon
                  size={22}
                  aria-label={t('form.anotherPassword')}
                  onClick={() => set({ password: newPassword(minLength) })}
                >
                  <IconRefresh size={14} />
                </ActionIcon>
              </Hint>
            </Group>
          }
        />
        <DialogFoot
          error={otherError ? create.error?.message : undefined}
          submitLabel={t('form.create')}
          busy={create.isPending}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  )
}

export interface NewUserDialogProps {
  opened: boolean
  onMade: (given: Given) => void
  onClose: () => void
}

export function NewUserDialog({ opened, onMade, onClose }: NewUserDialogProps) {
  const { t } = useTranslation('users')
  return (
    <FormDialog opened={opened} onClose={onClose} title={t('form.create')} size={520}>
      <UserForm onMade={onMade} onCancel={onClose} />
    </FormDialog>
  )
}
