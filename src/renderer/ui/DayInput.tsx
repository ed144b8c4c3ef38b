import { ActionIcon, Popover, TextInput, type TextInputProps } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MonthGrid } from './work-list/MonthGrid.tsx'
import { dayInput, readDay } from './work-list/span.rules.ts'

interface DayInputProps extends Pick<
  TextInputProps,
  'label' | 'description' | 'withAsterisk' | 'error' | 'aria-label' | 'w' | 'leftSection' | 'leftSectionWidth'
> {
  /** The first thing of a dialog that is entered. */
  'data-autofocus'?: true | undefined
  /** `2026-11-24`, or empty. */
  value: string
  /** Days outside can’t be chosen. */
  min?: string | undefined
  max?: string | undefined
  onChange(day: string): void
}

interface DayButtonProps {
  day: Date | null
  onPick(day: Date): void
}

/** Within a field that names a day: picks it in a month. */
export function DayButton({ day, onPick }: DayButtonProps) {
  const { t } = useTranslation()
  const [opened, setOpened] = useState(false)
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={24}
          aria-label={t('day.pick')}
          onClick={() => setOpened((now) => !now)}
        >
          <IconCalendar size={15} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p={10} w={252}>
        <MonthGrid
          picked={day ? [day] : []}
          onPick={(picked) => {
            onPick(picked)
            setOpened(false)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

/** A day: typed as `2026-11-24`, or picked in a month. The same in every language and browser. */
export function DayInput({ value, min, max, error, onChange, ...input }: DayInputProps) {
  const { t } = useTranslation()
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const day = readDay(text)
  const outside = day !== null && ((min && dayInput(day) < min) || (max && dayInput(day) > max))
  const wrong = text.trim() !== '' && day === null ? t('day.invalid') : outside ? t('day.outside') : undefined
  const write = (next: string) => {
    setText(next)
    const read = readDay(next)
    if (read) onChange(dayInput(read))
    else if (next.trim() === '') onChange('')
  }
  return (
    <TextInput
      {...input}
      placeholder={t('example', { value: '2026-01-31' })}
      value={text}
      error={error ?? wrong}
      onChange={(event) => write(event.currentTarget.value)}
      rightSection={<DayButton day={day} onPick={(picked) => write(dayInput(picked))} />}
    />
  )
}
