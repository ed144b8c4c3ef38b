import { Alert, Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useBranding } from '../../ui/brand/use-branding.ts'
import { SignInFlow } from './SignInFlow.tsx'
import { SignInFrame, StepHeading } from './SignInFrame.tsx'
import classes from './SignInPage.module.css'

export interface SignInPageProps {
  /** No account exists yet: the page welcomes and creates the first one. */
  bootstrap: boolean
  /** The desktop's own window was locked; what was typed into it may still be there. */
  locked?: 'here' | 'anew' | null
  username?: string
  /** Why the desktop could not sign in by itself. */
  notice?: string | undefined
  /** Signs in by the desktop; null where that is not offered. */
  onLaunch?: (() => void) | null
  onSignedIn: (first: boolean) => void
}

export function SignInPage(props: SignInPageProps) {
  const { bootstrap, locked = null, notice, onLaunch, onSignedIn } = props
  const { t } = useTranslation('signIn')
  const { product_name: product, login_message: message } = useBranding()
  const title = locked ? t('locked.title') : t(bootstrap ? 'welcome' : 'title', { product })
  const lockedText = locked === 'here' ? t('locked.text') : locked === 'anew' ? t('locked.textLocked') : null
  const text = lockedText ?? (bootstrap ? t('welcomeText') : null)
  const intro = (
    <>
      <StepHeading title={title} text={text} />
      {message && !bootstrap ? <p className={classes.message}>{message}</p> : null}
      {notice ? (
        <Alert color="gray" variant="light" p={8} mb={12}>
          {notice}
        </Alert>
      ) : null}
    </>
  )
  return (
    <SignInFrame title={title} covers={locked === 'here'}>
      <SignInFlow
        bootstrap={bootstrap}
        username={props.username ?? ''}
        intro={intro}
        Heading={StepHeading}
        onSignedIn={onSignedIn}
      />
      {onLaunch ? (
        <Button variant="subtle" size="sm" fullWidth mt={8} onClick={onLaunch}>
          {t('byDesktop')}
        </Button>
      ) : null}
    </SignInFrame>
  )
}
