import { Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isDate } from '../../../language/query/value-kinds.ts'
import { DialogFoot } from '../../ui/DialogFoot.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import classes from './explorer.module.css'
import {
  type ParameterKind,
  type ParameterValue,
  type ParameterValues,
  parameterKinds,
  parameterValue,
} from './statements.rules.ts'

interface ParametersDialogProps {
  names: readonly string[]
  /** Values of the last run. */
  last: ParameterValues
  onRun: (values: ParameterValues) => void
  onClose: () => void
}

const textOf = (value: ParameterValue | undefined): string =>
  value === undefined || value === null ? '' : String(value)
function kindOf(value: ParameterValue | undefined): ParameterKind {
  if (value === null) return 'null'
  if (typeof value === 'number' || typeof value === 'boolean') return typeof value === 'number' ? 'number' : 'boolean'
  // It is sent as it is written, whichever of the two it was.
  return value !== undefined && isDate(value) ? 'date' : 'string'
}

/** Values for the `:name` of a query. */
export function ParametersDialog({ names, last, onRun, onClose }: ParametersDialogProps) {
  const { t } = useTranslation('explorer')
  const { t: word } = useTranslation()
  const [values, setValues] = useState(() =>
    names.map((name) => ({
      name,
      kind: kindOf(last[name]),
      text: textOf(last[name]),
    })),
  )
  const [tried, setTried] = useState(false)
  const change = (at: number, part: Partial<(typeof values)[number]>) =>
    setValues((before) => before.map((value, index) => (index === at ? { ...value, ...part } : value)))
  const wrong = (kind: ParameterKind, text: string): string | undefined =>
    kind === 'string' || kind === 'null' || parameterValue(kind, text) !== undefined
      ? undefined
      : t(`parameters.bad.${kind}`)
  const submit = () => {
    setTried(true)
    const read = values.map(({ name, kind, text }) => [name, parameterValue(kind, text)] as const)
    const sound = read.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
    if (sound.length === read.length) onRun(Object.fromEntries(sound))
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
          {values.map(({ name, kind, text }, index) => (
            <div key={name} className={classes.parameter}>
              {kind === 'boolean' ? (
                <Select
                  label={name}
                  allowDeselect={false}
                  data-autofocus={index === 0 || undefined}
                  data={['true', 'false']}
                  value={/^(true|false)$/.test(text) ? text : null}
                  error={tried ? wrong(kind, text) : undefined}
                  onChange={(next) => change(index, { text: next ?? '' })}
                />
              ) : (
                <TextInput
                  label={name}
                  disabled={kind === 'null'}
                  data-autofocus={index === 0 || undefined}
                  placeholder={kind === 'date' ? word('example', { value: '2026-01-31T12:30:00Z' }) : undefined}
                  value={text}
                  error={tried ? wrong(kind, text) : undefined}
                  onChange={(event) => change(index, { text: event.currentTarget.value })}
                />
              )}
              <Select
                aria-label={t('parameters.kindOf', { name })}
                allowDeselect={false}
                data={parameterKinds.map((value) => ({ value, label: t(`parameters.kind.${value}`) }))}
                value={kind}
                onChange={(next) => change(index, { kind: next ?? 'string' })}
              />
            </div>
          ))}
          <DialogFoot error={undefined} submitLabel={t('run')} busy={false} onCancel={onClose} />
        </Stack>
      </form>
    </FormDialog>
  )
}
