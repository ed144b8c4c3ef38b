import { Checkbox, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { QueryField } from '../../../contract/query-values.ts'
import { DialogFoot } from '../../ui/DialogFoot.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
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
  const [text, setText] = useState(() => editedText(value, field.type))
  const [isNull, setNull] = useState(value === null && !isDocument)
  const [tried, setTried] = useState(false)
  const read = typedValue(text, field)
  const submit = () => {
    setTried(true)
    if (isNull) onSave(null)
    else if (read !== undefined) onSave(read)
  }
  return (
    <FormDialog opened onClose={onClose} title={t('edit.title', { column: field.name })} size={isDocument ? 720 : 460}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Stack gap={12}>
          <Textarea
            label={t('edit.value', { type: field.native || field.type })}
            description={field.type === 'bytes' ? t('edit.bytes') : undefined}
            data-autofocus
            autosize
            minRows={isDocument ? 12 : 2}
            maxRows={24}
            spellCheck={false}
            disabled={isNull}
            value={text}
            error={tried && !isNull && read === undefined ? t('edit.bad', { type: field.type }) : undefined}
            onChange={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || isDocument) return
              event.preventDefault()
              submit()
            }}
          />
          {isDocument ? null : (
            <Checkbox label="NULL" checked={isNull} onChange={(event) => setNull(event.currentTarget.checked)} />
          )}
          <DialogFoot error={undefined} submitLabel={t('edit.stage')} busy={false} onCancel={onClose} />
        </Stack>
      </form>
    </FormDialog>
  )
}
