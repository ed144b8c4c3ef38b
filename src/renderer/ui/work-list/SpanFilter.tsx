import { Button, Group, Popover, TextInput } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dateText } from '../format.ts'
import {
  type TimeSpan,
  dayPresets,
  daysSpan,
  lastHours,
  momentInput,
  pickDay,
  presetSpan,
  readMoment,
} from './span.rules.ts'
import { MonthGrid } from './MonthGrid.tsx'
import classes from './work-list.module.css'

interface SpanFilterProps {
  span: TimeSpan
  onChange: (span: TimeSpan) => void
  /** What happened then; records were created unless told. */
  of?: 'label' | 'ended' | 'recorded'
}

function useSpanText({ last, from, to }: TimeSpan): string | null {
  const { t } = useTranslation('lists')
  const text = (iso: string) => dateText(new Date(iso), 'shortMoment')
  if (last) {
    const known = lastHours.find((hours) => hours === last)
    return known ? t(`span.hours${known}`) : t('span.hours', { count: last })
  }
  if (from && to) return t('span.range', { from: text(from), to: text(to) })
  if (from) return t('span.since', { from: text(from) })
  return to ? t('span.until', { to: text(to) }) : null
}

function SpanForm({ span, onApply }: { span: TimeSpan; onApply: (span: TimeSpan) => void }) {
  const { t } = useTranslation('lists')
  const { t: word } = useTranslation()
  const [from, setFrom] = useState(momentInput(span.from))
  const [to, setTo] = useState(momentInput(span.to))
  const [picked, setPicked] = useState<readonly Date[]>(() =>
    [span.from, span.to].flatMap((at) => (at ? new Date(at) : [])),
  )
  const pick = (day: Date) => {
    const days = pickDay(picked, day)
    const next = daysSpan(days)
    setPicked(days)
    setFrom(momentInput(next.from))
    setTo(momentInput(next.to))
  }
  const [start, end] = [readMoment(from), readMoment(to)]
  const wrong = (read: string | null | undefined) => (read === null ? t('span.invalid') : undefined)
  const backwards = Boolean(start && end && start >= end)
  const empty = start === undefined && end === undefined
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (start === null || end === null || backwards || empty) return
        onApply({ ...(start ? { from: start } : {}), ...(end ? { to: end } : {}) })
      }}
    >
      <MonthGrid picked={picked} onPick={pick} />
      <Group gap={8} mt={8} grow align="flex-start" wrap="nowrap">
        <TextInput
          label={t('span.from')}
          placeholder={word('example', { value: '2026-01-31 08:00' })}
          value={from}
          error={wrong(start)}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          label={t('span.to')}
          placeholder={word('example', { value: '2026-01-31 18:00' })}
          value={to}
          error={wrong(end) ?? (backwards ? t('span.backwards') : undefined)}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
      </Group>
      <Button type="submit" mt={8} fullWidth disabled={empty || start === null || end === null || backwards}>
        {t('span.apply')}
      </Button>
    </form>
  )
}

/** When records were created, or ended: a span back from now, days by the calendar, or any two moments in this machine's zone. */
export function SpanFilter({ span, onChange, of = 'label' }: SpanFilterProps) {
  const { t } = useTranslation('lists')
  const [opened, setOpened] = useState(false)
  const text = useSpanText(span)
  const label = t(`span.${of}`)
  const choose = (next: TimeSpan) => {
    onChange(next)
    setOpened(false)
  }
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant={text === null ? 'default' : 'light'}
          fw={400}
          className={classes.filter}
          onClick={() => setOpened((now) => !now)}
          rightSection={<IconChevronDown size={13} aria-hidden />}
          aria-label={text === null ? undefined : `${label}: ${text}`}
        >
          {text === null ? label : of === 'ended' ? `${label}: ${text}` : text}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={10} className={classes.span}>
        <div className={classes.presets}>
          {lastHours.map((hours) => (
            <Button
              key={hours}
              variant={span.last === hours ? 'light' : 'subtle'}
              color={span.last === hours ? undefined : 'gray'}
              justify="flex-start"
              fw={400}
              onClick={() => choose({ last: hours })}
            >
              {t(`span.hours${hours}`)}
            </Button>
          ))}
          {dayPresets.map((preset) => (
            <Button
              key={preset}
              variant="subtle"
              color="gray"
              justify="flex-start"
              fw={400}
              onClick={() => choose(presetSpan(preset, new Date()))}
            >
              {t(`span.${preset}`)}
            </Button>
          ))}
          {text === null ? null : (
            <Button variant="subtle" color="gray" justify="flex-start" fw={400} onClick={() => choose({})}>
              {t('span.any')}
            </Button>
          )}
        </div>
        <SpanForm key={`${span.from} ${span.to}`} span={span} onApply={choose} />
      </Popover.Dropdown>
    </Popover>
  )
}
