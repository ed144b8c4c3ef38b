import { TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { User } from '../../../contract/auth.ts'
import { getOwnUser, updateOwnUser } from '../../../contract/users.ts'
import { ifMatch } from '../../api/client.ts'
import { useFollowedDraft } from '../../api/followed-draft.ts'
import { queryKey, useAction } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { FormShell } from '../../ui/FormShell.tsx'
import { OvertakenNotice } from '../../ui/OvertakenNotice.tsx'
import classes from './profile.module.css'
import { type AccountDraft, accountForm, changesOf } from './account-draft.ts'

/** Name and address of whom is signed in. */
export function AccountForm({ user }: { user: User }) {
  const { t } = useTranslation('profile')
  const { t: tShell } = useTranslation('shell')
  const { t: tUsers } = useTranslation('users')
  const { refresh, can } = useSession()
  const client = useQueryClient()
  const { draft, dirty, base, write, adopt, overtaken } = useFollowedDraft(user, accountForm)
  const set = (values: Partial<AccountDraft>) => write((now) => ({ ...now, ...values }))
  const save = useAction(updateOwnUser)
  const submit = () => {
    if (overtaken) return
    const body = changesOf(draft, base)
    save.mutate(
      { body, headers: ifMatch(base) },
      {
        onSuccess: (saved) => {
          adopt(saved)
          client.setQueryData(queryKey(getOwnUser), saved)
          refresh()
          notifications.show({ message: t('account.saved') })
        },
        // Perhaps somebody else was faster: then the form says so as soon as the account has been read again.
        onError: (failure) => {
          if (failure.code === 'CONFLICT') void client.invalidateQueries({ queryKey: ['getOwnUser'] })
        },
      },
    )
  }
  const detail = (field: string) => save.error?.detailFor(field)?.message
  return (
    <div className={classes.fields}>
      <FormShell
        onSubmit={submit}
        dirty={dirty}
        busy={save.isPending}
        submitLabel={t('account.save')}
        readOnly={!can('updateOwnUser')}
        error={save.error && !overtaken && save.error.details.length === 0 ? save.error.message : undefined}
        notice={<OvertakenNotice overtaken={overtaken} apart />}
      >
        <div className={classes.stack}>
          <TextInput
            label={t('account.username')}
            description={
              can('updateUser') ? (
                <Link to={paths.user(user.id)}>{t('account.usernameLink')}</Link>
              ) : (
                t('account.usernameHint')
              )
            }
            value={user.username}
            readOnly
            styles={{ input: { background: 'var(--hg-surface-sunken)', color: 'var(--hg-text-muted)' } }}
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
