import { Modal, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { SignInFlow } from './SignInFlow.tsx'
import classes from './SignInPage.module.css'

function DialogText({ text }: { text: string }) {
  return (
    <Text size="sm" c="dimmed" mb={12}>
      {text}
    </Text>
  )
}

function DialogHeading({ title, text }: { title: string; text: string | null }) {
  return (
    <>
      <h2 className={classes.dialogTitle}>{title}</h2>
      {text ? <DialogText text={text} /> : null}
    </>
  )
}

/** Over the page when the session has ended: signing in again loses nothing that was typed. */
export function SignInDialog(props: { username: string; onSignedIn: () => void }) {
  const { t } = useTranslation('signIn')
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      title={<b>{t('expiredTitle')}</b>}
      size={380}
      // What is below may be refused meanwhile, and is nobody's to read: it comes back with its session.
      overlayProps={{ color: 'var(--hg-surface-sunken)', backgroundOpacity: 1 }}
    >
      <SignInFlow
        bootstrap={false}
        username={props.username}
        intro={<DialogText text={t('expiredText')} />}
        Heading={DialogHeading}
        onSignedIn={props.onSignedIn}
      />
    </Modal>
  )
}
