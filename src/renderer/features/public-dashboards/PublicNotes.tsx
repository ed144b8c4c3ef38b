import '@mantine/core/styles/Notification.layer.css'
import '@mantine/notifications/styles.layer.css'
import { Notifications } from '@mantine/notifications'

/** Says that something was copied. */
export const PublicNotes = () => (
  <Notifications position="bottom-right" limit={2} autoClose={5000} containerWidth={340} />
)
