import { Button, Group, Popover, Stack, TextInput } from '@mantine/core'
import { IconCalendar, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type TimeSpan, lastHours, toLocalInput } from './run-filters.ts'
import { dateText } from '../../ui/format.ts'

interface TimeFilterProps {
  filters: TimeSpan
  onChange(change: { last: number | null; from: string | null; to: string | null }): void
}

const isoOf = (local: string) => {
  const time = Date.parse(local)
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}

function useLabel({ last, from, to }: TimeSpan) {
  const { t } = useTranslation('runs')
  const text = (iso: string) => dateText(new Date(iso), 'shortMoment')
  if (last) {
    const known = lastHours.find((hours) => hours === last)
    return known ? t(`filters.hours${known}`) : t('filters.hours', { count: last })
  }
  if (from && to) return t('filters.range', { from: text(from), to: text(to) })
  if (from) return t('filters.since', { from: text(from) })
  return to ? t('filters.until', { to: text(to) }) : t('filters.anyTime')
}

/** When the runs were created: a span back from now, or two moments in this machine's zone. */
export function TimeFilter({ filters, onChange }: TimeFilterProps) {
  const { t } = useTranslation('runs')
  const [opened, setOpened] = useState(false)
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const label = useLabel(filters)
  const set = filters.last !== undefined || filters.from !== undefined || filters.to !== undefined
  const open = () => {
    setFrom(toLocalInput(filters.from))
    setTo(toLocalInput(filters.to))
    setOpened((now) => !now)
  }
  const choose = (change: { last: number | null; from: string | null; to: string | null }) => {
    onChange(change)
    setOpened(false)
  }
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" shadow="md" trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          fw={400}
          onClick={open}
          aria-label={`${t('filters.time')}: ${label}`}
          leftSection={<IconCalendar size={14} />}
        >
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={10} w={280}>
        <Stack gap={4}>
          {lastHours.map((hours) => (
            <Button
              key={hours}
              variant={filters.last === hours ? 'light' : 'subtle'}
              color={filters.last === hours ? undefined : 'gray'}
              justify="flex-start"
              fw={400}
              onClick={() => choose({ last: hours, from: null, to: null })}
            >
              {t(`filters.hours${hours}`)}
            </Button>
          ))}
          <TextInput
            type="datetime-local"
            label={t('filters.from')}
            value={from}
            onChange={(event) => setFrom(event.currentTarget.value)}
          />
          <TextInput
            type="datetime-local"
            label={t('filters.to')}
            value={to}
            onChange={(event) => setTo(event.currentTarget.value)}
          />
          <Group gap={8} mt={4}>
            <Button disabled={!from && !to} onClick={() => choose({ last: null, from: isoOf(from), to: isoOf(to) })}>
              {t('filters.apply')}
            </Button>
            {set ? (
              <Button
                variant="default"
                leftSection={<IconX size={13} />}
                onClick={() => choose({ last: null, from: null, to: null })}
              >
                {t('filters.clear')}
              </Button>
            ) : null}
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
