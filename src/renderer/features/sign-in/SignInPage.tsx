import { Alert } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Mark } from '../../ui/Mark.tsx'
import { Credentials } from './Credentials.tsx'
import classes from './SignInPage.module.css'

export interface SignInPageProps {
  /** No account exists yet: the page welcomes and creates the first one. */
  bootstrap: boolean
  /** Why the desktop could not sign in by itself. */
  notice?: string
  onSignedIn: () => void
}

export function SignInPage({ bootstrap, notice, onSignedIn }: SignInPageProps) {
  const { t } = useTranslation('signIn')
  const title = bootstrap ? t('welcome') : t('title')
  useEffect(() => {
    document.title = title
  }, [title])
  return (
    <main className={classes.page}>
      <div className={classes.panel}>
        <Mark size={40} />
        <h1 className={classes.title}>{title}</h1>
        {bootstrap ? <p className={classes.text}>{t('welcomeText')}</p> : null}
        {notice ? (
          <Alert color="gray" variant="light" p={8} mb={12}>
            {notice}
          </Alert>
        ) : null}
        <Credentials bootstrap={bootstrap} onSignedIn={onSignedIn} />
        <p className={classes.foot}>{t('local', { host: globalThis.location.host })}</p>
      </div>
    </main>
  )
}
