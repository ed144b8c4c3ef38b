import { useTranslation } from 'react-i18next'
import type { QueryField } from '../../../contract/query-values.ts'
import { CellForm } from '../../ui/grid/CellForm.tsx'
import { editedText, typedValue } from './staged-edits.ts'

interface EditCellDialogProps {
  field: QueryField
  value: unknown
  onSave: (value: unknown) => void
  onClose: () => void
}

/** A new value for one cell; it is staged, not sent. */
export function EditCellDialog({ field, value, onSave, onClose }: EditCellDialogProps) {
  const { t } = useTranslation('changes')
  const isDocument = field.type === 'document'
  return (
    <CellForm
      title={t('edit.title', { column: field.name })}
      label={t('edit.value', { type: field.native || field.type })}
      description={field.type === 'bytes' ? t('edit.bytes') : undefined}
      submitLabel={t('edit.stage')}
      value={value === null && !isDocument ? null : editedText(value, field.type)}
      mayBeNull={!isDocument}
      isLong={isDocument}
      onSave={(text) => {
        const read = text === null ? null : typedValue(text, field)
        if (read === undefined) return t('edit.bad', { type: field.type })
        onSave(read)
        return undefined
      }}
      onClose={onClose}
    />
  )
}
