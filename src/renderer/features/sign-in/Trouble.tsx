import { Alert } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { waitText } from './use-wait.ts'

/** The one line of trouble of a form of the sign-in; counts down while the server wants to be left alone. */
export function Trouble({ message, left }: { message: string | undefined; left: number }) {
  const { t } = useTranslation('signIn')
  if (!message && left === 0) return null
  return (
    <Alert color="red" variant="light" p={8}>
      {/* The seconds are not read out one by one. */}
      <span role="alert">{left > 0 ? null : message}</span>
      {left > 0 ? <span role="timer">{t('tooMany', { time: waitText(left) })}</span> : null}
    </Alert>
  )
}
