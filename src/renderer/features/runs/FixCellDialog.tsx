import { useTranslation } from 'react-i18next'
import type { Message } from '../../../contract/messages.ts'
import { translateMessage } from '../../i18n/translate.ts'
import { CellForm } from '../../ui/grid/CellForm.tsx'
import { editedText, typedAs } from './fix-rejects.rules.ts'

interface FixCellDialogProps {
  column: string
  /** Of the column; empty for a line. */
  type: string
  reason: string
  value: unknown
  mayBeNull: boolean
  /** Why the value can’t be that; null: it is. */
  onSave(value: unknown): Message | null
  onClose(): void
}

/** A new value for a cell of a rejected row; nothing is written before the rows are rerun. */
export function FixCellDialog({ column, type, reason, value, mayBeNull, onSave, onClose }: FixCellDialogProps) {
  const { t } = useTranslation('runs')
  return (
    <CellForm
      title={t('fix.cellTitle', { column })}
      label={type === '' ? column : t('fix.value', { type })}
      description={reason}
      submitLabel={t('fix.apply')}
      value={value === null ? null : editedText(value)}
      mayBeNull={mayBeNull}
      onSave={(text) => {
        const fault = onSave(text === null ? null : typedAs(value, text))
        return fault ? translateMessage(fault) : undefined
      }}
      onClose={onClose}
    />
  )
}
