import { Modal, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Credentials } from './Credentials.tsx'

/** Over the page when the session has ended: signing in again loses nothing that was typed. */
export function SignInDialog(props: { username: string; onSignedIn: () => void }) {
  const { t } = useTranslation('signIn')
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={<b>{t('expiredTitle')}</b>}
      size={380}
    >
      <Text size="sm" c="dimmed" mb={12}>
        {t('expiredText')}
      </Text>
      <Credentials username={props.username} onSignedIn={props.onSignedIn} />
    </Modal>
  )
}
