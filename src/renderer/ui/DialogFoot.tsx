import { Alert, Button } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './DialogFoot.module.css'
import { type Overtaken, OvertakenNotice } from './OvertakenNotice.tsx'

interface DialogFootProps {
  /** Why the last attempt failed. */
  error: string | undefined
  /** The verb of the deed: `Save`, `Create trigger`. */
  submitLabel: string
  overtaken?: Overtaken | null
  busy: boolean
  onCancel: () => void
}

/** The ways out of a dialog, the deed last. */
export function DialogWays({ children }: { children: ReactNode }) {
  return <div className={classes.ways}>{children}</div>
}

/** A pressed button that rests, or a chosen one that goes, takes the focus with it: it goes to what can be pressed next. */
function useFocus(busy: boolean, choosing: boolean) {
  const choice = useRef<HTMLButtonElement>(null)
  const deed = useRef<HTMLButtonElement>(null)
  const begun = useRef(false)
  useEffect(() => {
    if (choosing) choice.current?.focus()
  }, [choosing])
  useEffect(() => {
    begun.current ||= busy || choosing
    if (begun.current && !busy && !choosing && document.activeElement === document.body) deed.current?.focus()
  }, [busy, choosing])
  return { choice, deed }
}

/** The end of a form in a dialog: what went wrong, and the two ways out. */
export function DialogFoot({ error, overtaken, submitLabel, busy, onCancel }: DialogFootProps) {
  const { t } = useTranslation()
  const { choice, deed } = useFocus(busy, Boolean(overtaken))
  return (
    <>
      {error === undefined ? null : (
        <Alert color="red" variant="light" p={8} role="alert">
          {error}
        </Alert>
      )}
      <OvertakenNotice overtaken={overtaken} first={choice} />
      <DialogWays>
        <Button variant="default" onClick={onCancel}>
          {t('form.cancel')}
        </Button>
        <Button ref={deed} type="submit" loading={busy} disabled={Boolean(overtaken)}>
          {submitLabel}
        </Button>
      </DialogWays>
    </>
  )
}
