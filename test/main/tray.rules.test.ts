import { expect, test } from 'vitest'
import { backgroundWords } from '../../src/main/background/background-words.ts'
import { timeText, trayView, type TrayFacts } from '../../src/main/background/tray.rules.ts'

const pulse = {
  running: 0,
  waiting: 0,
  scheduler_paused: false,
  next_fire_at: '2026-03-01T09:00:00.000Z',
  failures: [] as { title: string; at: string; path: string }[],
}
const failure = { title: 'load', at: '2026-03-01T07:30:00.000Z', path: '/runs/7' }
const lookedAt = '2026-03-01T07:00:00.000Z'
const facts = (more: Partial<TrayFacts> = {}): TrayFacts => ({
  health: 'ready',
  pulse,
  lookedAt,
  quitting: false,
  ...more,
})
const view = (more?: Partial<TrayFacts>, language = 'en') =>
  trayView(facts(more), backgroundWords(language), (iso) => iso.slice(11, 16))
const labels = (more?: Partial<TrayFacts>, language?: string) =>
  view(more, language).items.map((item) => ('label' in item ? item.label : '—'))

test('an idle server: its next schedule, windows, the pause, and that nothing failed', () => {
  expect(view()).toMatchObject({ icon: 'idle', tooltip: 'Headgate · No active runs' })
  expect(labels()).toEqual([
    'No active runs',
    'Next run: 09:00',
    '—',
    'Open Headgate',
    'New window',
    '—',
    'Pause triggers',
    '—',
    'No failures in the last 24 hours',
    '—',
    'Quit Headgate',
  ])
  expect(labels({ pulse: { ...pulse, next_fire_at: null } })[1]).toBe('No upcoming runs')
})

test('what runs and waits is counted', () => {
  expect(view({ pulse: { ...pulse, running: 1 } })).toMatchObject({
    icon: 'running',
    tooltip: 'Headgate · 1 active run',
  })
  expect(view({ pulse: { ...pulse, running: 2, waiting: 3 } }).tooltip).toBe('Headgate · 2 active runs, 3 queued')
})

test('a pause shows, tells of no next schedule, and can be ended', () => {
  const paused = { ...pulse, scheduler_paused: true, next_fire_at: null, running: 1 }
  expect(view({ pulse: paused })).toMatchObject({
    icon: 'paused',
    tooltip: 'Headgate · Triggers are paused · 1 active run',
  })
  expect(view({ pulse: paused }).items).toContainEqual({ kind: 'action', id: 'resume', label: 'Resume triggers' })
  expect(labels({ pulse: paused }).join()).not.toContain('Next run')
})

test('a failure that nobody has looked at shows before anything else, and each leads to its page', () => {
  const failed = { ...pulse, running: 1, scheduler_paused: true, failures: [failure, { ...failure, at: lookedAt }] }
  expect(view({ pulse: failed })).toMatchObject({
    icon: 'failed',
    tooltip: expect.stringContaining('1 new failed run'),
  })
  expect(view({ pulse: failed }).items).toContainEqual({ kind: 'page', path: '/runs/7', label: 'load · 07:30' })
  expect(view({ pulse: failed, lookedAt: failure.at }).icon).toBe('paused')
  const long = { ...failure, title: 'x'.repeat(200) }
  const label = labels({ pulse: { ...pulse, failures: [long] } }).find((one) => one.startsWith('x'))
  expect(label?.length).toBeLessThan(60)
})

test('a server that starts, that does not run, and an app that waits for its runs say so', () => {
  expect(view({ health: 'starting', pulse: null })).toMatchObject({
    icon: 'idle',
    tooltip: 'Headgate · Headgate is starting…',
  })
  const stopped = view({ health: 'failed', pulse: null })
  expect(stopped).toMatchObject({ icon: 'failed', tooltip: 'Headgate · The server isn’t running' })
  expect(stopped.items.some((item) => 'id' in item && item.id === 'pause')).toBe(false)
  expect(labels({ quitting: true, pulse: { ...pulse, running: 2 } })[0]).toBe('Quitting when 2 runs end')
})

test('in German', () => {
  expect(labels({ pulse: { ...pulse, running: 2, waiting: 1 } }, 'de-AT')[0]).toBe(
    '2 aktive Läufe, 1 in der Warteschlange',
  )
})

test('a time of today is a time of day, another one has its day', () => {
  const text = timeText('en', () => new Date(2026, 2, 1, 12))
  expect(text(new Date(2026, 2, 1, 18, 5).toISOString())).toBe('18:05')
  expect(text(new Date(2026, 2, 2, 18, 5).toISOString())).toContain('Mon')
})

test('a name with an ampersand is shown as it is', () => {
  expect(labels({ pulse: { ...pulse, failures: [{ ...failure, title: 'R&D' }] } })).toContain('R&&D · 07:30')
})
