import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useLeaving } from '../../ui/use-leaving.ts'

/** Asks before an import under way is left, which stops it: within the app, and when the window is closed. */
export function LeaveImport({ going }: { going: boolean }) {
  const { t } = useTranslation('exchange')
  const leaving = useLeaving(() => going)
  useEffect(() => {
    if (!going) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    globalThis.addEventListener('beforeunload', warn)
    return () => globalThis.removeEventListener('beforeunload', warn)
  }, [going])
  return (
    <ConfirmDialog
      opened={leaving.asked}
      title={t('leave.title')}
      text={t('leave.text')}
      confirmLabel={t('leave.action')}
      danger
      onConfirm={leaving.go}
      onClose={leaving.stay}
    />
  )
}
