import { Checkbox, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Message } from '../../../contract/messages.ts'
import { translateMessage } from '../../i18n/translate.ts'
import { DialogFoot } from '../../ui/DialogFoot.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
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
  const [text, setText] = useState(() => editedText(value))
  const [isNull, setNull] = useState(value === null)
  const [fault, setFault] = useState<Message | null>(null)
  const submit = () => setFault(onSave(isNull ? null : typedAs(value, text)))
  return (
    <FormDialog opened onClose={onClose} title={t('fix.cellTitle', { column })} size={560}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Stack gap={12}>
          <Textarea
            label={type === '' ? column : t('fix.value', { type })}
            description={reason}
            data-autofocus
            autosize
            minRows={2}
            maxRows={16}
            spellCheck={false}
            disabled={isNull}
            value={text}
            error={fault && !isNull ? translateMessage(fault) : undefined}
            onChange={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey) return
              event.preventDefault()
              submit()
            }}
          />
          {mayBeNull ? (
            <Checkbox
              label="NULL"
              checked={isNull}
              error={fault && isNull ? translateMessage(fault) : undefined}
              onChange={(event) => setNull(event.currentTarget.checked)}
            />
          ) : null}
          <DialogFoot error={undefined} submitLabel={t('fix.apply')} busy={false} onCancel={onClose} />
        </Stack>
      </form>
    </FormDialog>
  )
}
