/** Tells whoever started this process, the desktop app, how the server does, and what is worth a notification. */
import type { ServerEvent } from '../../../contract/events.ts'
import type { ServerMessage, ServerPulse } from '../../../process/messages.ts'
import type { Platform } from '../../platform/platform.ts'
import type { FailuresService } from '../failures/failures.service.ts'
import { createAnnounced, notificationsOf } from './notifications.rules.ts'
import { createPulseStore } from './pulse.store.ts'

const pulseEveryMs = 1_000
/** Failures grow old, and retention removes runs, without an event. */
const lookAgainMs = 600_000
const recentMs = 24 * 3_600_000
const mostFailures = 5

const changesPulse: ReadonlySet<ServerEvent['type']> = new Set([
  'run.created',
  'run.changed',
  'job_run.changed',
  'trigger.changed',
  'scheduler.changed',
])

interface Dependencies {
  isPaused(): boolean
  failures: Pick<FailuresService, 'newest'>
}

export function createOwnerService(platform: Platform, { isPaused, failures }: Dependencies) {
  const { store, clock, events, logger, draining } = platform
  const numbers = createPulseStore(store)

  function pulse(): ServerPulse {
    const from = new Date(clock.now().getTime() - recentMs).toISOString()
    const paused = isPaused()
    return {
      running: numbers.count('running'),
      waiting: numbers.count('pending'),
      scheduler_paused: paused,
      next_fire_at: paused ? null : numbers.nextFireAt(),
      failures: failures.newest(from, mostFailures).map(({ kind, name, run_id, failed_at }) => ({
        title: name,
        at: failed_at,
        path: `/${kind === 'job' ? 'job-runs' : 'runs'}/${run_id}`,
      })),
    }
  }

  return {
    pulse,
    /** From now on until the server ends. */
    report(send: (message: ServerMessage) => void): void {
      const announced = createAnnounced()
      let last = ''
      let sentAt = -Infinity
      let timer: NodeJS.Timeout | undefined

      function beat(): void {
        timer = undefined
        if (draining.aborted) return
        sentAt = clock.monotonic()
        try {
          const now = pulse()
          const text = JSON.stringify(now)
          if (text === last) return
          last = text
          send({ event: 'pulse', ...now })
        } catch (error) {
          logger.error({ err: error }, 'How the server does could not be told')
        }
      }
      /** Together with all that changes within the second. */
      function changed(): void {
        if (timer || draining.aborted) return
        timer = setTimeout(beat, Math.max(0, sentAt + pulseEveryMs - clock.monotonic()))
        timer.unref()
      }

      const stop = events.subscribe((batch) => {
        if (batch.some(({ type }) => changesPulse.has(type))) changed()
        for (const notification of notificationsOf(batch, announced)) send({ event: 'notification', ...notification })
      })
      const again = setInterval(changed, lookAgainMs)
      again.unref()
      draining.addEventListener(
        'abort',
        () => {
          stop()
          clearTimeout(timer)
          clearInterval(again)
        },
        { once: true },
      )
      beat()
    },
  }
}
