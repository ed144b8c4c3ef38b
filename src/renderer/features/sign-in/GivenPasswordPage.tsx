import { useTranslation } from 'react-i18next'
import { GivenPassword } from './GivenPassword.tsx'
import { SignInFrame, StepHeading } from './SignInFrame.tsx'

/** For whom is signed in, but may do nothing before the password is his own. */
export function GivenPasswordPage({ username, onChanged }: { username: string; onChanged: () => void }) {
  const { t } = useTranslation('signIn')
  return (
    <SignInFrame title={t('change.title')}>
      <StepHeading title={t('change.title')} text={t('change.text')} />
      <GivenPassword username={username} known={null} onChanged={onChanged} />
    </SignInFrame>
  )
}
