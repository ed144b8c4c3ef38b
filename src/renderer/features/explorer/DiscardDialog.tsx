import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { numberText } from '../../ui/format.ts'

/** Asks before staged changes of a result are lost. */
export function DiscardDialog({
  count,
  onDiscard,
  onClose,
}: {
  count: number
  onDiscard: () => void
  onClose: () => void
}) {
  const { t } = useTranslation('changes')
  return (
    <ConfirmDialog
      opened
      danger
      title={t('lose.title')}
      text={t('lose.text', { count, formatted: numberText(count) })}
      confirmLabel={t('lose.confirm')}
      onConfirm={onDiscard}
      onClose={onClose}
    />
  )
}
