import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { getUser } from '../../../contract/users.ts'
import { useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { useOpened } from '../../commands/open/recent.ts'
import { paths } from '../../paths.ts'
import { ErrorState, useRecordName } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { KeysOf } from '../profile/OwnKeys.tsx'
import { Section } from '../profile/Section.tsx'
import { SessionsTable } from '../profile/SessionsTable.tsx'
import profileClasses from '../profile/profile.module.css'
import { UserActions } from './UserActions.tsx'
import { UserForm } from './UserForm.tsx'
import { UserStateBadge } from './UserStateBadge.tsx'
import classes from './users.module.css'

/** One account: who it is, its role, where it is signed in, its keys. */
export function UserPage() {
  const { t } = useTranslation('users')
  const { me, canFor } = useSession()
  const navigate = useNavigate()
  const id = Number(useParams()['id'])
  const recordName = useRecordName('user', id)
  const found = useOperation(getUser, { params: { id } }, { staleTime: 0 })
  useOpened({
    kind: 'user',
    id,
    title: found.data?.username,
    to: paths.user(id),
    gone: found.error?.status === 404,
  })
  const user = found.data
  const own = id === me.user.id
  const seesSessions = user && (own || canFor('listSessions', user.role))
  return (
    <Page
      title={user?.username ?? recordName}
      crumbs={[{ label: t('title'), to: paths.users() }]}
      badge={user ? <UserStateBadge user={user} size="md" /> : null}
      subtitle={user?.display_name}
      actions={user ? <UserActions user={user} onRemoved={() => void navigate(paths.users())} /> : null}
    >
      {found.error && !user ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} record={{ kind: 'user', id }} />
      ) : null}
      {user ? (
        <div className={profileClasses.page} key={user.id}>
          <Section title={t('form.who')}>
            <UserForm user={user} />
          </Section>
          <Section title={t('sessions.title')}>
            {seesSessions ? (
              <SessionsTable {...(own ? {} : { userId: id })} mayEnd={own || canFor('endSession', user.role)} />
            ) : (
              <p className={classes.hidden}>{t('sessions.hidden')}</p>
            )}
          </Section>
          <Section title={t('keys.title')}>
            <KeysOf userId={id} empty={t('keys.none')} />
          </Section>
        </div>
      ) : null}
    </Page>
  )
}
