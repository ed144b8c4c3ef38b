import { Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { GivenPassword } from './GivenPassword.tsx'
import { OtherUser } from './OtherUser.tsx'
import { SignInFrame, StepHeading } from './SignInFrame.tsx'

interface GivenPasswordPageProps {
  username: string
  onChanged: () => void
  /** Signs out. */
  onOther: () => void
}

/** For whom is signed in, but may do nothing before the password is his own. */
export function GivenPasswordPage({ username, onChanged, onOther }: GivenPasswordPageProps) {
  const { t } = useTranslation('signIn')
  return (
    <SignInFrame title={t('change.title')}>
      <StepHeading title={t('change.title')} text={t('change.text')} />
      <GivenPassword username={username} known={null} onChanged={onChanged} />
      <Group mt={12}>
        <OtherUser onClick={onOther} />
      </Group>
    </SignInFrame>
  )
}
