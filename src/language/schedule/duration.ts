const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Ten years: longer ones are slips, and timers and sums stay exact below it. */
export const MAX_DURATION_MS = 3_650 * units.d

/**
 * `500ms`, `10s`, `5m`, `2h`, `1d`, `1h30m`, or ISO 8601 (`PT1H30M`, `P1DT12H`, `P2W`) → whole milliseconds.
 * null for anything else: no sign, no unit-less numbers, no months or years (their length varies), at most ten years.
 */
export function parseDuration(text: string): number | null {
  if (text.length > 40) return null
  const milliseconds = text.startsWith('P') ? parseIso(text) : parseShort(text)
  if (milliseconds === null || milliseconds > MAX_DURATION_MS) return null
  return Math.round(milliseconds)
}

function parseShort(text: string): number | null {
  if (!/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(text)) return null
  let total = 0
  let last = Infinity
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
    const length = units[unit as keyof typeof units] // the pattern names exactly these
    if (length >= last) return null
    last = length
    total += Number(amount) * length
  }
  return total
}

function parseIso(text: string): number | null {
  const match = /^P(?:(\d+)W|(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?)$/.exec(text)
  if (!match || text === 'P' || text.endsWith('T')) return null
  const [, weeks, days, hours, minutes, seconds] = match.map((part) => Number(part ?? 0))
  return (
    ((weeks ?? 0) * 7 + (days ?? 0)) * units.d +
    (hours ?? 0) * units.h +
    (minutes ?? 0) * units.m +
    (seconds ?? 0) * units.s
  )
}

/** The shortest way to write it: 90000 → `1m30s`. */
export function formatDuration(milliseconds: number): string {
  let rest = Math.round(milliseconds)
  let text = ''
  for (const unit of ['d', 'h', 'm', 's', 'ms'] as const) {
    const amount = Math.floor(rest / units[unit])
    rest -= amount * units[unit]
    if (amount > 0) text += `${amount}${unit}`
  }
  return text === '' ? '0s' : text
}
