import { Checkbox, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { DialogFoot } from '../DialogFoot.tsx'
import { FormDialog } from '../FormDialog.tsx'

interface CellFormProps {
  title: string
  label: string
  description?: string | undefined
  submitLabel: string
  /** null: NULL. */
  value: string | null
  mayBeNull: boolean
  /** A document of many lines: Enter begins another one. */
  isLong?: boolean
  /** Takes the new value; why it can’t be that, or undefined. */
  onSave(text: string | null): string | undefined
  onClose(): void
}

/** A new value for one cell, as text. */
export function CellForm({
  title,
  label,
  description,
  submitLabel,
  value,
  mayBeNull,
  isLong = false,
  onSave,
  onClose,
}: CellFormProps) {
  const [text, setText] = useState(value ?? '')
  const [isNull, setNull] = useState(value === null)
  const [fault, setFault] = useState<string>()
  const submit = () => setFault(onSave(isNull ? null : text))
  return (
    <FormDialog opened onClose={onClose} title={title} size={isLong ? 720 : 560}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Stack gap={12}>
          <Textarea
            label={label}
            description={description}
            data-autofocus
            autosize
            minRows={isLong ? 12 : 2}
            maxRows={24}
            spellCheck={false}
            disabled={isNull}
            value={text}
            error={isNull ? undefined : fault}
            onChange={(event) => {
              setText(event.currentTarget.value)
              setFault(undefined)
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || isLong) return
              event.preventDefault()
              submit()
            }}
          />
          {mayBeNull ? (
            <Checkbox
              label="NULL"
              checked={isNull}
              error={isNull ? fault : undefined}
              onChange={(event) => setNull(event.currentTarget.checked)}
            />
          ) : null}
          <DialogFoot error={undefined} submitLabel={submitLabel} busy={false} onCancel={onClose} />
        </Stack>
      </form>
    </FormDialog>
  )
}
