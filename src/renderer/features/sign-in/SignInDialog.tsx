import { Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { SignInFlow } from './SignInFlow.tsx'
import { SignInColumn, StepHeading } from './SignInFrame.tsx'
import classes from './SignInPage.module.css'

/** Over the page when the session has ended: signing in again loses nothing that was typed. */
export function SignInDialog(props: { username: string; onSignedIn: () => void }) {
  const { t } = useTranslation('signIn')
  return (
    <Modal.Root opened fullScreen onClose={() => {}} closeOnEscape={false}>
      {/* What is below may be refused meanwhile, and is nobody's to read: it comes back with its session. */}
      <Modal.Content aria-label={t('expiredTitle')} className={classes.cover}>
        <Modal.Body p={0} h="100%">
          <div className={classes.page}>
            <SignInColumn>
              <SignInFlow
                bootstrap={false}
                username={props.username}
                intro={<StepHeading title={t('expiredTitle')} text={t('expiredText')} />}
                Heading={StepHeading}
                onSignedIn={props.onSignedIn}
              />
            </SignInColumn>
          </div>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
