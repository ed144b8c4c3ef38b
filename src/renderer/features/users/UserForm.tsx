import { TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { User } from '../../../contract/auth.ts'
import { getUser, updateUser } from '../../../contract/users.ts'
import { ifMatch } from '../../api/client.ts'
import { useFollowedDraft } from '../../api/followed-draft.ts'
import { queryKey, useAction } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { FormShell } from '../../ui/FormShell.tsx'
import { OvertakenNotice } from '../../ui/OvertakenNotice.tsx'
import classes from '../profile/profile.module.css'
import { type AccountDraft, accountForm, changesOf } from '../profile/account-draft.ts'
import { RoleChoice } from './RoleChoice.tsx'
import { reasonAgainstRole } from './user-acts.ts'

/** Who a user is and what role he has; what is not ours to change can be read. */
export function UserForm({ user }: { user: User }) {
  const { t } = useTranslation('users')
  const { me, canFor, refresh } = useSession()
  const client = useQueryClient()
  const { draft, dirty, base, write, adopt, overtaken } = useFollowedDraft(user, accountForm)
  const set = (values: Partial<AccountDraft>) => write((now) => ({ ...now, ...values }))
  const save = useAction(updateUser, { invalidates: ['listUsers'] })
  const own = user.id === me.user.id
  const mayChange = own || canFor('updateUser', user.role)
  const against = reasonAgainstRole(me.user, user)
  const params = { id: user.id }
  const submit = () => {
    if (overtaken) return
    save.mutate(
      // The fields that differ, each of the type that the contract has for it.
      { params, body: changesOf(draft, base) as object, headers: ifMatch(base) },
      {
        onSuccess: (saved) => {
          adopt(saved)
          client.setQueryData(queryKey(getUser, { params }), saved)
          if (own) refresh()
          notifications.show({ message: t('form.saved', { name: saved.username }) })
        },
        // Perhaps somebody else was faster: then the form says so as soon as the account has been read again.
        onError: (failure) => {
          if (failure.code === 'CONFLICT') void client.invalidateQueries({ queryKey: ['getUser'] })
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
        submitLabel={t('form.save')}
        readOnly={!mayChange}
        error={save.error && !overtaken && save.error.details.length === 0 ? save.error.message : undefined}
        notice={<OvertakenNotice overtaken={overtaken} apart />}
      >
        <div className={classes.stack}>
          <TextInput
            label={t('form.username')}
            description={t('form.usernameHint')}
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            readOnly={!mayChange}
            value={draft.username}
            error={detail('username')}
            onChange={(event) => set({ username: event.currentTarget.value })}
          />
          <TextInput
            label={t('form.displayName')}
            autoComplete="off"
            maxLength={200}
            readOnly={!mayChange}
            value={draft.display_name}
            error={detail('display_name')}
            onChange={(event) => set({ display_name: event.currentTarget.value })}
          />
          <TextInput
            label={t('form.email')}
            type="email"
            autoComplete="off"
            maxLength={320}
            readOnly={!mayChange}
            value={draft.email}
            error={detail('email')}
            onChange={(event) => set({ email: event.currentTarget.value })}
          />
          <RoleChoice
            value={draft.role}
            onChange={(role) => set({ role })}
            reason={against ? t(`against.${against}`) : null}
            error={detail('role')}
          />
        </div>
      </FormShell>
    </div>
  )
}
