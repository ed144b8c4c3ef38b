import { Alert, Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './DialogFoot.module.css'

interface DialogFootProps {
  /** Why the last attempt failed. */
  error: string | undefined
  /** The verb of the deed: `Save`, `Create trigger`. */
  submitLabel: string
  busy: boolean
  onCancel: () => void
}

/** The ways out of a dialog, the deed last. */
export function DialogWays({ children }: { children: ReactNode }) {
  return <div className={classes.ways}>{children}</div>
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
      <DialogWays>
        <Button variant="default" onClick={onCancel}>
          {t('form.cancel')}
        </Button>
        <Button type="submit" loading={busy}>
          {submitLabel}
        </Button>
      </DialogWays>
    </>
  )
}
