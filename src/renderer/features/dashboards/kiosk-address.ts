/** The page that shows dashboards alone: `/kiosk?dashboards=3,5&seconds=30`, with the filters of the page that it came from. */
import { filterPart } from './dashboard-choice.rules.ts'

export interface Kiosk {
  ids: readonly number[]
  /** Until the next one; null: the first one stays. */
  seconds: number | null
}

const mostShown = 50
/** Widgets of a dashboard need a moment to load. */
const leastSeconds = 5
const mostSeconds = 86_400
export const usualSeconds = 30
export const secondsChoices = [10, 30, 60, 300, 900]

export function kioskIn(address: URLSearchParams): Kiosk {
  const ids = (address.get('dashboards') ?? '').split(',').filter((id) => /^[1-9]\d{0,14}$/.test(id))
  const seconds = address.get('seconds')
  return {
    ids: [...new Set(ids)].slice(0, mostShown).map(Number),
    seconds:
      seconds !== null && /^\d{1,6}$/.test(seconds)
        ? Math.min(mostSeconds, Math.max(leastSeconds, Number(seconds)))
        : null,
  }
}

/** What was chosen on the page of one dashboard goes along. */
export function choicesOf(address: URLSearchParams): URLSearchParams {
  const chosen = [...address].filter(([name]) => name === 'window' || name.startsWith(filterPart('')))
  return new URLSearchParams(chosen)
}

export function kioskPath(ids: readonly number[], address = new URLSearchParams()): string {
  const query = choicesOf(address)
  query.set('dashboards', ids.slice(0, mostShown).join(','))
  if (ids.length > 1) query.set('seconds', String(usualSeconds))
  return `/kiosk?${query.toString()}`
}

/** A browser that refuses shows the page in its window: that is no failure. */
export function showFullScreen(): void {
  document.documentElement.requestFullscreen().catch(() => undefined)
}
