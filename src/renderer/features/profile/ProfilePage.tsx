import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type User, getAuthStatus } from '../../../contract/auth.ts'
import { getOwnUser } from '../../../contract/users.ts'
import { useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { AccountForm } from './AccountForm.tsx'
import { type FactorDeed, FactorDialog } from './FactorDialog.tsx'
import { FactorMark } from './FactorMark.tsx'
import { OwnKeys } from './OwnKeys.tsx'
import { OwnSessions } from './OwnSessions.tsx'
import { PasswordDialog } from './PasswordDialog.tsx'
import { Section } from './Section.tsx'
import classes from './profile.module.css'

function SecondFactor({ user }: { user: User }) {
  const { t } = useTranslation('profile')
  const status = useOperation(getAuthStatus, {}, { staleTime: 60_000 })
  const [deed, setDeed] = useState<FactorDeed | null>(null)
  const required = status.data?.totp_required ?? false
  const set = required ? `${t('factor.on')} ${t('factor.required')}` : t('factor.unused')
  const words = user.totp_enabled ? set : t('factor.off')
  return (
    <div className={classes.line}>
      <div className={classes.lineText}>
        <FactorMark on={user.totp_enabled} label={words} />
      </div>
      {user.totp_enabled ? (
        <>
          <CommandButton
            id="profile.factor-renew"
            opens
            label={t('factor.renew')}
            variant="default"
            onClick={() => setDeed('renew')}
          />
          {required ? null : (
            <CommandButton
              id="profile.factor-disable"
              opens
              label={t('factor.disable')}
              variant="default"
              onClick={() => setDeed('disable')}
            />
          )}
        </>
      ) : (
        <CommandButton
          id="profile.factor-enable"
          opens
          label={t('factor.enable')}
          variant="default"
          onClick={() => setDeed('enrol')}
        />
      )}
      <FactorDialog deed={deed} onClose={() => setDeed(null)} />
    </div>
  )
}

/** Everything about the account of whom is signed in. */
export function ProfilePage() {
  const { t } = useTranslation('profile')
  const { can } = useSession()
  const own = useOperation(getOwnUser, {}, { staleTime: 0 })
  const [changing, setChanging] = useState(false)
  const user = own.data
  return (
    <Page title={t('title')}>
      {own.error && !user ? <ErrorState what="profile" error={own.error} onRetry={() => void own.refetch()} /> : null}
      {user ? (
        <div className={classes.page}>
          <Section title={t('account.title')}>
            <AccountForm user={user} />
          </Section>
          <Section title={t('password.title')} text={t('password.text')}>
            <div className={classes.line}>
              <CommandButton
                id="profile.password"
                opens
                label={t('password.change')}
                variant="default"
                disabled={!can('changeOwnPassword')}
                onClick={() => setChanging(true)}
              />
            </div>
            <PasswordDialog opened={changing} onClose={() => setChanging(false)} />
          </Section>
          <Section title={t('factor.title')}>
            <SecondFactor user={user} />
          </Section>
          <Section title={t('sessions.title')} text={t('sessions.text')}>
            <OwnSessions />
          </Section>
          <Section title={t('keys.title')} text={t('keys.text')}>
            <OwnKeys userId={user.id} />
          </Section>
        </div>
      ) : null}
    </Page>
  )
}
