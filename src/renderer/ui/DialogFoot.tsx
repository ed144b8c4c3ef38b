import { Alert, Button, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface DialogFootProps {
  /** Why the last attempt failed. */
  error: string | undefined
  /** The verb of the deed: `Save`, `Create trigger`. */
  submitLabel: string
  busy: boolean
  onCancel: () => void
}

/** The end of a form in a dialog: what went wrong, and the two ways out. */
export function DialogFoot({ error, submitLabel, busy, onCancel }: DialogFootProps) {
  const { t } = useTranslation()
  return (
    <>
      {error === undefined ? null : (
        <Alert color="red" variant="light" p={8} role="alert">
          {error}
        </Alert>
      )}
      <Group justify="flex-end" gap={8}>
        <Button variant="default" onClick={onCancel}>
          {t('form.cancel')}
        </Button>
        <Button type="submit" loading={busy}>
          {submitLabel}
        </Button>
      </Group>
    </>
  )
}
