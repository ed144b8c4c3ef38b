import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { forgetHandovers } from '../../api/handover.ts'
import { ConfirmDialog } from '../ConfirmDialog.tsx'
import { useLeaving } from '../use-leaving.ts'

interface LeaveGuardProps {
  dirty: boolean
  /** The draft could not be kept in this browser: closing the window would lose it. */
  unkept: boolean
  /** Addresses that still show the same text: its tabs. */
  within: string
}

/** Says before unsaved text goes out of sight that it does, and where it stays. */
export function LeaveGuard({ dirty, unkept, within }: LeaveGuardProps) {
  const { t } = useTranslation('documents')
  const leaving = useLeaving(({ nextLocation }) => {
    const { pathname } = nextLocation
    return dirty && pathname !== within && !pathname.startsWith(`${within}/`)
  })
  useEffect(() => {
    if (!dirty || !unkept) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    globalThis.addEventListener('beforeunload', warn)
    return () => globalThis.removeEventListener('beforeunload', warn)
  }, [dirty, unkept])
  return (
    <ConfirmDialog
      opened={leaving.asked}
      title={t('page.leaveTitle')}
      text={t('page.leaveText')}
      confirmLabel={t('page.leave')}
      onConfirm={leaving.go}
      onClose={() => {
        forgetHandovers()
        leaving.stay()
      }}
    />
  )
}
