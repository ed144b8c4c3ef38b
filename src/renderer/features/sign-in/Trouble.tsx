import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { waitText } from './use-wait.ts'

/** The one line of trouble of a form of the sign-in; counts down while the server wants to be left alone. */
export function Trouble({ message, left }: { message: string | undefined; left: number }) {
  const { t } = useTranslation('signIn')
  if (!message && left === 0) return null
  // The seconds are not read out one by one.
  return (
    <Alert color="red" variant="light" p={8} icon={<IconAlertTriangle size={16} />} role={left > 0 ? 'timer' : 'alert'}>
      {left > 0 ? t('tooMany', { time: waitText(left) }) : message}
    </Alert>
  )
}
