import { Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PresetParameter } from '../../../contract/explorer-presets.ts'
import { isObjectId } from '../../../language/query/value-kinds.ts'
import { DialogFoot } from '../../ui/DialogFoot.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { ParameterInput } from './ParameterInput.tsx'

interface PresetValuesDialogProps {
  connectorId: number
  presetId: number | null
  parameters: readonly PresetParameter[]
  /** Of the last run. */
  last: Readonly<Record<string, string>>
  /** What it is asked for is reviewed first. */
  toReview?: boolean
  onRun: (values: Record<string, string>) => void
  onClose: () => void
}

/** Values for the parameters of a preset. */
export function PresetValuesDialog({
  connectorId,
  presetId,
  parameters,
  last,
  toReview = false,
  onRun,
  onClose,
}: PresetValuesDialogProps) {
  const { t } = useTranslation('explorer')
  const { t: tUi } = useTranslation()
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(parameters.map(({ name, defaultValue = '' }) => [name, last[name] ?? defaultValue])),
  )
  const [tried, setTried] = useState(false)
  const wrong = ({ name, type, required = true }: PresetParameter): string | undefined => {
    const text = (values[name] ?? '').trim()
    if (text === '') return required ? tUi('form.required') : undefined
    return type === 'objectId' && !isObjectId(text) ? t('parameters.bad.objectId') : undefined
  }
  const submit = () => {
    setTried(true)
    if (parameters.every((parameter) => wrong(parameter) === undefined)) onRun(values)
  }
  return (
    <FormDialog opened onClose={onClose} title={t('parameters.title')} size={460}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Stack gap={12}>
          {parameters.map((parameter, index) => (
            <ParameterInput
              key={parameter.name}
              connectorId={connectorId}
              presetId={presetId}
              parameter={parameter}
              label={parameter.label}
              required={parameter.required !== false}
              isFirst={index === 0}
              value={values[parameter.name] ?? ''}
              error={tried ? wrong(parameter) : undefined}
              onChange={(text) => setValues((before) => ({ ...before, [parameter.name]: text }))}
            />
          ))}
          <DialogFoot
            error={undefined}
            submitLabel={t(toReview ? 'presets.review' : 'run')}
            busy={false}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </FormDialog>
  )
}
