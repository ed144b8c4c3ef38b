/**
 * Tells when the store cannot be written and finds out when it can again. Requests and background work notice a full disk by
 * themselves; that there is space again shows only by trying.
 */
import type { Message } from '../../../contract/messages.ts'
import type { Platform } from '../../platform/platform.ts'

const everyMs = 1_000

export function createWriteProbe(
  { store, events, logger, draining }: Pick<Platform, 'store' | 'events' | 'logger' | 'draining'>,
  probe: () => void,
) {
  const { condition } = store
  let timer: NodeJS.Timeout | undefined

  function arm(): void {
    clearTimeout(timer)
    if (draining.aborted) return
    timer = setTimeout(look, everyMs)
    timer.unref()
  }

  function look(): void {
    try {
      probe()
      store.transaction(() => events.append('server.changed', 1, { what: 'store' }))
      condition.recovered()
    } catch (error) {
      // That it cannot be written is known; anything else is news, and no reason to give up.
      condition.failed(error)
      logger.debug({ err: error }, 'The store still cannot be written')
      arm()
    }
  }

  function changed(problem: Message | null): void {
    if (problem === null) return logger.info({}, 'The store can be written again')
    logger.error({}, problem.message)
    // It cannot be written down, of all things.
    events.announce('server.changed', 1, { what: 'store' })
    arm()
  }

  draining.addEventListener('abort', () => clearTimeout(timer), { once: true })
  return { start: () => condition.onChange(changed) }
}
