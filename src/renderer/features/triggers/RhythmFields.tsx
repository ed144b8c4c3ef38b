import { Button, Input, NativeSelect, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Schedule, cronOf, readClock, rhythms, scheduleOf } from './rhythm.ts'
import classes from './triggers.module.css'
import { weekdayName } from './use-cron-words.ts'

/** A time of the day by 24 hours; what is no time yet stays in the field alone. */
function ClockField({ value, onChange }: { value: string; onChange: (time: string) => void }) {
  const { t } = useTranslation('triggers')
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <TextInput
      label={t('form.clock')}
      w={88}
      placeholder="07:00"
      value={typed ?? value}
      error={typed !== null && readClock(typed) === undefined}
      onChange={(event) => {
        const text = event.currentTarget.value
        setTyped(text)
        const time = readClock(text)
        if (time !== undefined) onChange(time)
      }}
      onBlur={() => setTyped(null)}
    />
  )
}

const usual: Schedule = { rhythm: 'weekdays', time: '07:00', day: 1 }
const listed = (count: number, nameOf: (day: number) => string) =>
  Array.from({ length: count }, (_, index) => ({ value: String(index + 1), label: nameOf(index + 1) }))

interface RhythmFieldsProps {
  cron: string
  onChange: (cron: string) => void
  /** Stands with the time that it belongs to. */
  zone: ReactNode
}

/** The schedules that most jobs have. What is chosen stands as five fields in the expression, and is read from there. */
export function RhythmFields({ cron, onChange, zone }: RhythmFieldsProps) {
  const { t } = useTranslation('triggers')
  const schedule = scheduleOf(cron)
  // An expression that no choice says leaves the time of the last one.
  const [last, setLast] = useState(schedule ?? usual)
  const now = schedule ?? last
  const change = (values: Partial<Schedule>) => {
    const next = { ...now, ...values }
    setLast(next)
    onChange(cronOf(next))
  }
  return (
    <>
      <Input.Wrapper label={t('form.rhythm')} labelElement="div" className={classes.across}>
        <div className={classes.presets} role="group" aria-label={t('form.rhythm')}>
          {rhythms.map((rhythm) => (
            <Button
              key={rhythm}
              size="compact-sm"
              variant="default"
              aria-pressed={schedule?.rhythm === rhythm}
              onClick={() => change({ rhythm, day: schedule?.rhythm === rhythm ? now.day : 1 })}
            >
              {t(`form.rhythms.${rhythm}`)}
            </Button>
          ))}
        </div>
      </Input.Wrapper>
      <div className={classes.rhythm}>
        {schedule?.rhythm === 'weekly' ? (
          <NativeSelect
            label={t('form.weekday')}
            value={String(schedule.day)}
            data={listed(7, weekdayName)}
            onChange={(event) => change({ day: Number(event.currentTarget.value) })}
          />
        ) : null}
        {schedule?.rhythm === 'monthly' ? (
          <NativeSelect
            label={t('form.monthDay')}
            value={String(schedule.day)}
            data={listed(31, String)}
            onChange={(event) => change({ day: Number(event.currentTarget.value) })}
          />
        ) : null}
        {schedule?.rhythm === 'hourly' ? (
          <NativeSelect
            label={t('form.minute')}
            value={String(Number(schedule.time.slice(3)))}
            data={Array.from({ length: 60 }, (_, index) => String(index))}
            onChange={(event) => change({ time: `07:${event.currentTarget.value.padStart(2, '0')}` })}
          />
        ) : null}
        {schedule && schedule.rhythm !== 'hourly' ? (
          <ClockField value={schedule.time} onChange={(time) => change({ time })} />
        ) : null}
        {zone}
      </div>
    </>
  )
}
