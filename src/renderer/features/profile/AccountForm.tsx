import { TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { User } from '../../../contract/auth.ts'
import { getOwnUser, updateOwnUser } from '../../../contract/users.ts'
import { call, etagOf } from '../../api/client.ts'
import { queryKey, useAction } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { FormShell } from '../../ui/FormShell.tsx'
import { Conflict } from './Conflict.tsx'
import classes from './profile.module.css'
import { changesOf, isStale, useAccountDraft } from './use-account-draft.ts'

/** Name and address of whom is signed in. */
export function AccountForm({ user }: { user: User }) {
  const { t } = useTranslation('profile')
  const { t: tShell } = useTranslation('shell')
  const { t: tUsers } = useTranslation('users')
  const { refresh, can } = useSession()
  const client = useQueryClient()
  const { draft, dirty, base, set, rebase } = useAccountDraft(user)
  const save = useAction(updateOwnUser)
  const submit = () => {
    const etag = etagOf(base)
    const body = changesOf(draft, base)
    save.mutate(
      { body, ...(etag ? { headers: { 'if-match': etag } } : {}) },
      {
        onSuccess: (saved) => {
          rebase(saved, false)
          client.setQueryData(queryKey(getOwnUser), saved)
          refresh()
          notifications.show({ message: t('account.saved') })
        },
      },
    )
  }
  const readAnew = async (keep: boolean) => {
    const now = await call(getOwnUser)
    client.setQueryData(queryKey(getOwnUser), now)
    rebase(now, keep)
    save.reset()
  }
  const stale = isStale(save.error)
  const detail = (field: string) => save.error?.detailFor(field)?.message
  return (
    <div className={classes.fields}>
      <FormShell
        onSubmit={submit}
        dirty={dirty}
        busy={save.isPending}
        submitLabel={t('account.save')}
        readOnly={!can('updateOwnUser')}
        error={save.error && !stale && save.error.details.length === 0 ? save.error.message : undefined}
        notice={stale ? <Conflict onKeep={() => void readAnew(true)} onTake={() => void readAnew(false)} /> : undefined}
      >
        <div className={classes.stack}>
          <TextInput
            label={t('account.username')}
            description={t('account.usernameHint')}
            value={user.username}
            readOnly
            variant="filled"
          />
          <TextInput
            label={t('account.displayName')}
            description={t('account.displayNameHint')}
            autoComplete="name"
            maxLength={200}
            value={draft.display_name}
            error={detail('display_name')}
            onChange={(event) => set({ display_name: event.currentTarget.value })}
          />
          <TextInput
            label={t('account.email')}
            type="email"
            autoComplete="email"
            maxLength={320}
            value={draft.email}
            error={detail('email')}
            onChange={(event) => set({ email: event.currentTarget.value })}
          />
          <div className={classes.fact}>
            <b>
              {t('account.role')}: {tShell(`user.role.${user.role}`)}
            </b>
            <p className={classes.about}>{tUsers(`may.${user.role}`)}</p>
          </div>
        </div>
      </FormShell>
    </div>
  )
}
