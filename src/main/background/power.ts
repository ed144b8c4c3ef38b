import type { OwnerMessage } from '../../process/messages.ts'

/** What the system says of its power. A shutdown can be put off for as long as the processes need. */
export type PowerEvent = 'suspend' | 'resume' | 'lock-screen' | 'shutdown'
type PowerListener = (event?: { preventDefault(): void }) => void

/** Electron's powerSaveBlocker. */
export interface SleepBlocker {
  start(type: 'prevent-app-suspension'): number
  stop(id: number): void
}

export interface PowerOptions {
  on: (event: PowerEvent, listener: PowerListener) => void
  toServer: (message: OwnerMessage) => void
  toExecutor: (message: OwnerMessage) => void
  /** The system ends; there is time for what the processes have to write. */
  onShutdown: () => void
  onLock: () => void
  log: (text: string) => void
  /** For tests. Milliseconds of the day, and a timer. */
  now?: () => number
  every?: (ms: number, tick: () => void) => void
}

const TICK_MS = 5_000
/** A timer that comes this much late was asleep with its machine. */
const GAP_MS = 15_000
/** So many ticks after it was to sleep the machine is awake all the same. */
const AWAKE_TICKS = 3

/**
 * Tells the processes of sleeps. The executor hears before, as clocks of some systems go on meanwhile and leases would run out at the
 * moment of waking; both hear after. Systems that say nothing are noticed by the gap in the time of day.
 */
export function watchPower(options: PowerOptions): void {
  const { on, toServer, toExecutor, log } = options
  const now = options.now ?? Date.now
  const every = options.every ?? ((ms, tick) => void setInterval(tick, ms).unref())
  let last = now()
  /** Ticks since it was to sleep; null: it is not. */
  let drowsy: number | null = null

  function woke(): void {
    drowsy = null
    last = now()
    // The executor first: its right to work must not outlast what the server grants.
    toExecutor({ type: 'woke' })
    toServer({ type: 'woke' })
  }

  on('suspend', () => {
    log('headgate: the computer is going to sleep\n')
    drowsy = 0
    last = now()
    toExecutor({ type: 'sleeps' })
  })
  on('resume', () => {
    log('headgate: the computer woke up\n')
    woke()
  })
  on('lock-screen', options.onLock)
  on('shutdown', (event) => {
    event?.preventDefault()
    options.onShutdown()
  })
  every(TICK_MS, () => {
    const gap = now() - last - TICK_MS
    last = now()
    if (drowsy !== null) drowsy++
    if (gap > GAP_MS) log(`headgate: no activity for ${Math.round(gap / 1000)} s: the computer was asleep\n`)
    if (gap > GAP_MS || (drowsy ?? 0) >= AWAKE_TICKS) woke()
  })
}

/** Keeps the machine from falling asleep by itself while `wanted`. */
export function keepAwake(blocker: SleepBlocker): (wanted: boolean) => void {
  let id: number | null = null
  return (wanted) => {
    if (wanted) id ??= blocker.start('prevent-app-suspension')
    else if (id !== null) {
      blocker.stop(id)
      id = null
    }
  }
}
