import { translateMessage } from '../../i18n/translate.ts'
import { Select, TextInput, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { DayButton } from '../../ui/DayInput.tsx'
import { dayInput, offsetMoment, readDay } from '../../ui/work-list/span.rules.ts'
import type { ArgumentSpec } from '../../../language/task/task.types.ts'
import type { FieldProblem, Fields } from './argument-fields.ts'
import { defaultText, showValue } from './argument-values.ts'

interface ArgumentFieldProps {
  name: string
  spec: ArgumentSpec
  value: string
  error: string | undefined
  standardOf: 'task' | 'job'
  onChange(value: string): void
}

const hints: Partial<Record<ArgumentSpec['type'], string>> = {
  date: '2026-03-01',
  datetime: '2026-03-01T08:30:00Z',
  duration: '30s · 5m · 2h · 1d',
  json: '{"key": "value"}',
}

/** Picks the day of a date or a moment, whose time stays. */
function DayOf({ type, value, onChange }: { type: 'date' | 'datetime'; value: string; onChange(value: string): void }) {
  const at = type === 'date' ? readDay(value) : value.trim() === '' ? null : new Date(value)
  const day = at === null || Number.isNaN(at.getTime()) ? null : at
  return (
    <DayButton
      day={day}
      onPick={(picked) => {
        if (type === 'datetime' && day) picked.setHours(day.getHours(), day.getMinutes())
        onChange(type === 'date' ? dayInput(picked) : offsetMoment(picked))
      }}
    />
  )
}

function ArgumentField({ name, spec, value, error, standardOf, onChange }: ArgumentFieldProps) {
  const { t } = useTranslation('tasks')
  const { t: word } = useTranslation()
  const standard = defaultText(spec)
  const example = hints[spec.type]
  const placeholder =
    standard === null
      ? example && word('example', { value: example })
      : t(`arguments.default.${standardOf}`, { value: standard })
  const common = {
    label: name,
    description: [t(`arguments.types.${spec.type}`), spec.description].filter(Boolean).join(' ·\u00a0'),
    error,
    required: spec.required,
    withAsterisk: spec.required,
    placeholder,
  }
  const choices =
    spec.type === 'boolean'
      ? [
          { value: 'true', label: t('arguments.yes') },
          { value: 'false', label: t('arguments.no') },
        ]
      : spec.enum && spec.type !== 'list'
        ? spec.enum.map((option) => ({ value: showValue(option), label: showValue(option) }))
        : null
  if (choices) {
    return (
      <Select
        {...common}
        data={choices}
        value={value === '' ? null : value}
        clearable
        onChange={(chosen) => onChange(chosen ?? '')}
      />
    )
  }
  if (spec.type === 'json' || spec.type === 'list') {
    return (
      <Textarea
        {...common}
        description={
          spec.type === 'list' ? (
            <>
              {common.description}
              <br />
              {t('arguments.list')}
            </>
          ) : (
            common.description
          )
        }
        autosize
        minRows={2}
        maxRows={8}
        value={value}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  }
  return (
    <TextInput
      {...common}
      type="text"
      inputMode={spec.type === 'integer' ? 'numeric' : spec.type === 'number' ? 'decimal' : undefined}
      value={value}
      rightSection={
        spec.type === 'date' || spec.type === 'datetime' ? (
          <DayOf type={spec.type} value={value} onChange={onChange} />
        ) : undefined
      }
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

interface ArgumentFieldsProps {
  specs: Readonly<Record<string, ArgumentSpec>>
  fields: Fields
  problems: Readonly<Record<string, FieldProblem>>
  /** Also says of empty required fields that they are. */
  showRequired: boolean
  /** Where the values come from that empty fields take. */
  standardOf?: 'task' | 'job'
  onChange(name: string, value: string): void
}

/** A form made from the argument specs of a task. An empty field means: use the default. */
export function ArgumentFields(props: ArgumentFieldsProps) {
  const { specs, fields, problems, showRequired, standardOf = 'task', onChange } = props
  const { t } = useTranslation('tasks')
  const textOf = (problem: FieldProblem | undefined) => {
    if (!problem || (problem.kind === 'required' && !showRequired)) return undefined
    return problem.kind === 'language' ? translateMessage(problem.message) : t(`arguments.problems.${problem.kind}`)
  }
  return Object.entries(specs).map(([name, spec]) => (
    <ArgumentField
      key={name}
      name={name}
      spec={spec}
      value={fields[name] ?? ''}
      error={textOf(problems[name])}
      standardOf={standardOf}
      onChange={(value) => onChange(name, value)}
    />
  ))
}
