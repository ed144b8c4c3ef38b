import type { ServerPulse } from '../../process/messages.ts'
import type { BackgroundWords } from './background-words.ts'

/** What is known of the server. */
export type ServerHealth = 'starting' | 'ready' | 'failed'
export type TrayIcon = 'idle' | 'running' | 'failed' | 'paused'

export interface TrayFacts {
  health: ServerHealth
  /** Null until the server has told. */
  pulse: ServerPulse | null
  /** Since when somebody has looked at failures, ISO 8601. */
  lookedAt: string
  /** The app ends when its runs have ended. */
  quitting: boolean
}

export type TrayItem =
  | { kind: 'text'; label: string }
  | { kind: 'separator' }
  | { kind: 'action'; id: 'open' | 'new-window' | 'pause' | 'resume' | 'quit'; label: string }
  | { kind: 'page'; path: string; label: string }

export interface TrayView {
  icon: TrayIcon
  tooltip: string
  items: TrayItem[]
}

/** Longest label of a failure: menus grow as wide as their widest. */
const MOST_CHARACTERS = 48

/** A failure that nobody has seen comes before everything; then a pause, as nothing else happens then by itself; then work. */
export function trayView(facts: TrayFacts, words: BackgroundWords, time: (iso: string) => string): TrayView {
  const { health, pulse } = facts
  const unseen = pulse?.failures.filter(({ at }) => at > facts.lookedAt).length ?? 0
  const status = statusOf(facts, words)
  return {
    icon: iconOf(facts, unseen),
    tooltip: ['Headgate', ...status, ...(unseen > 0 ? [words.failedSince(unseen)] : [])].join(' · '),
    items: [
      ...status.map(text),
      ...(health === 'ready' && pulse && !pulse.scheduler_paused
        ? [text(pulse.next_fire_at === null ? words.noNext : words.next(time(pulse.next_fire_at)))]
        : []),
      { kind: 'separator' },
      { kind: 'action', id: 'open', label: words.open },
      { kind: 'action', id: 'new-window', label: words.newWindow },
      ...(health === 'ready' && pulse ? [{ kind: 'separator' } as const, pauseItem(pulse, words)] : []),
      ...(pulse ? failureItems(pulse, words, time) : []),
      { kind: 'separator' },
      { kind: 'action', id: 'quit', label: words.quit },
    ],
  }
}

const text = (label: string): TrayItem => ({ kind: 'text', label })

function iconOf({ health, pulse }: TrayFacts, unseen: number): TrayIcon {
  if (health === 'failed' || unseen > 0) return 'failed'
  if (!pulse) return 'idle'
  if (pulse.scheduler_paused) return 'paused'
  return pulse.running > 0 ? 'running' : 'idle'
}

function statusOf({ health, pulse, quitting }: TrayFacts, words: BackgroundWords): string[] {
  if (health === 'failed') return [words.stopped]
  if (health === 'starting' || !pulse) return [words.starting]
  const { running, waiting, scheduler_paused: paused } = pulse
  if (quitting && running > 0) return [words.quitWaits(running)]
  const parts = [...(running > 0 ? [words.underWay(running)] : []), ...(waiting > 0 ? [words.waiting(waiting)] : [])]
  const work = parts.length > 0 ? parts.join(', ') : words.idle
  return paused ? [words.paused, work] : [work]
}

function pauseItem({ scheduler_paused: paused }: ServerPulse, words: BackgroundWords): TrayItem {
  return paused
    ? { kind: 'action', id: 'resume', label: words.resume }
    : { kind: 'action', id: 'pause', label: words.pause }
}

function failureItems({ failures }: ServerPulse, words: BackgroundWords, time: (iso: string) => string): TrayItem[] {
  if (failures.length === 0) return [{ kind: 'separator' }, text(words.noFailures)]
  return [
    { kind: 'separator' },
    text(words.failures),
    ...failures.map(({ title, at, path }): TrayItem => ({
      kind: 'page',
      path,
      // Menus take one & for the mark of a key.
      label: `${short(title).replaceAll('&', '&&')} · ${time(at)}`,
    })),
    { kind: 'page', path: FAILED_RUNS, label: words.allFailures },
  ]
}

/** The filtered list. */
export const FAILED_RUNS = '/runs?status=failed'

function short(title: string): string {
  return title.length > MOST_CHARACTERS ? `${title.slice(0, MOST_CHARACTERS - 1).toWellFormed()}…` : title
}

/** The time of day for today, else with the day. */
export function timeText(language: string, now: () => Date): (iso: string) => string {
  return (iso) => {
    const at = new Date(iso)
    const today = at.toDateString() === now().toDateString()
    const day = today ? {} : ({ weekday: 'short', day: 'numeric', month: 'short' } as const)
    return new Intl.DateTimeFormat(language, { ...day, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(
      at,
    )
  }
}
