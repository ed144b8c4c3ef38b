/** Wording of moments, spans and sizes, in the language of the window unless another locale is given. */
import { currentHours, currentLocale } from '../i18n/locale.ts'
import { inHours, numberText, perLocale } from './format.ts'

const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
]

/** Of this window's machine, such as `Europe/Berlin`. */
export const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** `3 min ago`, `in 2 h 5 min`, `2 days ago`; within two seconds `justNow`. What is past needs no minutes, what comes does. */
export function relativeTime(at: Date, now: Date, justNow: string, locale = currentLocale()): string {
  const seconds = (at.getTime() - now.getTime()) / 1000
  const distance = Math.abs(seconds)
  if (distance < 2) return justNow
  const [unit, size] = steps.find(([, length]) => distance >= length) ?? ['second', 1]
  const count = Math.trunc(seconds / size)
  const whole = relativeFormat(locale).format(count, unit)
  const sign = signs.get(unit)
  // Where a dot stands behind a short form differs between kinds of English; no sign has one.
  if (sign === undefined) return locale.startsWith('en') ? whole.replace('.', '') : whole
  const minutes = unit === 'hour' && seconds > 0 ? Math.trunc((distance % size) / 60) : 0
  const span = [Math.abs(count), sign, ...(minutes === 0 ? [] : [minutes, signs.get('minute')])].join(' ')
  if (seconds > 0) return `in ${span}`
  return locale.startsWith('de') ? `vor ${span}` : `${span} ago`
}

/** The same in ages and durations, and in every language. */
const signs: ReadonlyMap<Intl.RelativeTimeFormatUnit, string> = new Map([
  ['hour', 'h'],
  ['minute', 'min'],
  ['second', 's'],
])

const spans: readonly [number, string][] = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
  [1, 's'],
]

/** `3 min`, `2 h`, `4 d`: how long something has been as it is; as coarse as ages, in the units of durations. */
export function spanText(from: Date, to: Date, locale = currentLocale()): string {
  const seconds = Math.max(1, (to.getTime() - from.getTime()) / 1000)
  const [size, sign] = spans.find(([length]) => seconds >= length) ?? [1, 's']
  return `${numberText(Math.trunc(seconds / size), undefined, locale)} ${sign}`
}

/** `20 Nov 2026, 18:33:51.120 GMT+1`: without loss, with its zone. */
export const absoluteTime = (at: Date, locale?: string) => absoluteFormat(locale).format(at)

const absoluteFormat = (locale?: string) =>
  perLocale(
    `absolute ${currentHours()}`,
    (of) =>
      new Intl.DateTimeFormat(
        of,
        inHours({
          year: 'numeric',
          month: 'short',
          day: 'numeric',
          hour: '2-digit',
          minute: '2-digit',
          second: '2-digit',
          fractionalSecondDigits: 3,
          timeZoneName: 'short',
        }),
      ),
    locale,
  )

const relativeFormat = (locale?: string) =>
  perLocale('relative', (of) => new Intl.RelativeTimeFormat(of, { numeric: 'always', style: 'short' }), locale)

const two = (value: number) => String(value).padStart(2, '0')

/** `< 1 ms`, `12 ms`, `1.24 s`, `12.4 s`, `3 min 04 s`, `2 h 05 min`, `3 d 04 h`. */
export function durationText(milliseconds: number, locale = currentLocale()): string {
  const number = (value: number, digits: number) => numberText(value, digits, locale)
  // The bounds are those of what is shown: 9,996 ms are ten seconds, and 999.6 ms are one.
  if (milliseconds < 0.95) return '< 1 ms'
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`
  const seconds = milliseconds / 1000
  if (seconds < 59.95) return `${number(seconds, seconds < 9.995 ? 2 : 1)} s`
  const whole = Math.round(seconds)
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return `${minutes} min ${two(whole % 60)} s`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return `${hours} h ${two(minutes % 60)} min`
  return `${numberText(Math.floor(hours / 24), undefined, locale)} d ${two(hours % 24)} h`
}

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']

/** In the units of the limits that they are compared with: `0 B`, `1.2 KiB`, `340 MiB`. */
export function bytesText(bytes: number, locale = currentLocale()): string {
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  return `${numberText(value, unit === 0 || value >= 99.5 ? 0 : 1, locale)} ${units[unit]}`
}
