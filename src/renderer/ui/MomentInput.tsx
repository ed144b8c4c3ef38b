import { TextInput, type TextInputProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { DayButton } from './DayInput.tsx'
import { dayInput, readDay } from './work-list/span.rules.ts'

interface MomentInputProps extends Pick<
  TextInputProps,
  'label' | 'description' | 'withAsterisk' | 'error' | 'placeholder'
> {
  /** The first thing of a dialog that is entered. */
  'data-autofocus'?: true | undefined
  /** `2026-12-01 07:00`, on the clocks of a zone that the label tells. */
  value: string
  /** Of a day that is picked while no time is there. */
  time: string
  onChange(text: string): void
}

// A text with an offset names a day of another zone: the picker begins at today then.
const written = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{1,2}:\d{2}))?$/

/** A day and a time: typed, or the day picked in a month. */
export function MomentInput({ value, time, onChange, ...input }: MomentInputProps) {
  const { t } = useTranslation()
  const [, day = '', at = time] = written.exec(value.trim()) ?? []
  return (
    <TextInput
      placeholder={t('example', { value: `2026-12-01 ${time}` })}
      {...input}
      value={value}
      rightSection={<DayButton day={readDay(day)} onPick={(picked) => onChange(`${dayInput(picked)} ${at}`)} />}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
