/**
 * Numbers, dates, lists and the order of names, in the language of the window. All words of a page come through here or
 * `time.ts`; values of data, logs and files never do.
 */
import { currentHours, currentLocale } from '../i18n/locale.ts'

// Making a formatter costs as much as drawing several rows of a table; each is made once a locale.
const made = new Map<string, unknown>()

/** What `make` makes, once for this name and locale. */
export function perLocale<Format>(name: string, make: (locale: string) => Format, locale = currentLocale()): Format {
  const key = `${name} ${locale}`
  const known = made.get(key)
  // The name says which kind of formatter it is: each has one maker.
  if (known !== undefined) return known as Format
  const format = make(locale)
  made.set(key, format)
  return format
}

/** `12,345.6` or `12.345,6`. `digits`: exactly so many after the point. */
export function numberText(value: number | bigint, digits?: number, locale?: string): string {
  const make = (of: string) =>
    new Intl.NumberFormat(
      of,
      digits === undefined ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits },
    )
  return perLocale(`number ${digits ?? ''}`, make, locale).format(value)
}

/** With every digit after the point. */
export const exactNumber = (value: number): string =>
  perLocale('exact', (of) => new Intl.NumberFormat(of, { maximumFractionDigits: 20 })).format(value)

/** `35%` or `35 %`, rounded down, so that 100 % is all. */
export const percentText = (share: number) =>
  perLocale('percent', (of) => new Intl.NumberFormat(of, { style: 'percent' })).format(Math.floor(share * 100) / 100)

/** `77.8%` or `77,8 %`, with exactly so many digits after the point, or none where all are zero: `100%`. */
export const ratioText = (ratio: number, digits = 1, sign: 'auto' | 'exceptZero' = 'auto') =>
  perLocale(
    `ratio ${digits} ${sign}`,
    (of) =>
      new Intl.NumberFormat(of, {
        style: 'percent',
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
        trailingZeroDisplay: 'stripIfInteger',
        signDisplay: sign,
      }),
  ).format(ratio)

/** English as Americans write it, like all of our texts: `a, b, and c`, and `B`, `M`, and `K` for large figures instead of `bn`, `m`, and `k`. */
const american = (locale: string) => (locale.startsWith('en') ? 'en-US' : locale)

/** `330M` or `330 Mio.` from a hundred thousand on: for figures that are looked at, not read. `1E18` where no word is short. */
export function roughText(value: number): string {
  const size = Math.abs(value)
  if (size < 100_000) return numberText(value)
  const notation = size < 1e15 ? 'compact' : 'scientific'
  return perLocale(
    `rough ${notation}`,
    (of) => new Intl.NumberFormat(american(of), { notation, maximumSignificantDigits: 3 }),
  ).format(value)
}

/** `€12.30` or `12,30 €`; below a hundredth with up to four digits after the point, so that it isn’t zero. */
export function moneyText(amount: number, currency: string): string {
  const small = amount > 0 && amount < 0.01
  const make = (of: string) =>
    new Intl.NumberFormat(of, { style: 'currency', currency, ...(small && { maximumFractionDigits: 4 }) })
  return perLocale(`money ${currency} ${small}`, make).format(amount)
}

/** Of what may not be known yet: `countText(run.item_count) ?? '–'`. */
export const countText = (value: number | null | undefined) =>
  value === null || value === undefined ? undefined : numberText(value)

/** Times have 12 or 24 hours as the system has them. */
const dateLooks = {
  /** `20 Nov 2026` */
  day: { day: 'numeric', month: 'short', year: 'numeric' },
  /** `November 2026` */
  month: { month: 'long', year: 'numeric' },
  /** `2026` */
  year: { year: 'numeric' },
  /** `Nov` */
  shortMonth: { month: 'short' },
  /** `20 Nov` */
  dayAndMonth: { day: 'numeric', month: 'short' },
  /** `18:33:51` */
  seconds: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
  /** `Fri` */
  weekday: { weekday: 'short' },
  /** `Friday` */
  longWeekday: { weekday: 'long' },
  /** `20 Nov 2026, 18:33` */
  moment: { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
  /** `20 Nov, 18:33:51` */
  shortSeconds: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit' },
  /** `20 Nov 2026, 18:33 GMT+1` */
  momentInZone: {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  },
  /** `20 Nov 2026, 18:33:51 GMT+1` */
  secondsInZone: {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  },
  /** `Fri, 20 Nov 2026, 18:33 GMT+1`: for times to come, of which people think by the day of the week. */
  zonedMoment: {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  },
  /** `Fri, 20 Nov 2026, 18:33` */
  weekdayMoment: {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  },
  /** `Fri 20 Nov` */
  weekdayAndDate: { weekday: 'short', day: 'numeric', month: 'short' },
  /** `Fri 20 Nov 2026` */
  weekdayAndDay: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  /** `20 Nov, 18:33` */
  shortMoment: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  /** `18:33` */
  clock: { hour: '2-digit', minute: '2-digit' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>
export type DateLook = keyof typeof dateLooks

/** `02:00` and `2:00 PM`. `hour12: false` would write midnight as 24:00 in some languages. */
export const inHours = (
  options: Intl.DateTimeFormatOptions,
  hourCycle = currentHours(),
): Intl.DateTimeFormatOptions => ({
  ...options,
  hourCycle,
  ...(options.hour && hourCycle === 'h12' ? { hour: 'numeric' } : {}),
})

const dateFormat = (look: DateLook, zone?: string) =>
  perLocale(
    `date ${look} ${currentHours()} ${zone ?? ''}`,
    (locale) => new Intl.DateTimeFormat(locale, { ...inHours(dateLooks[look]), timeZone: zone }),
  )

/** A date in one of a few looks, in the zone of the machine or in the given one. */
export const dateText = (at: Date, look: DateLook, zone?: string) => dateFormat(look, zone).format(at)

/** `Europe/Berlin (GMT+1)`: the zone of this machine. */
export function zoneText(at: Date): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const format = perLocale('zone', (locale) => new Intl.DateTimeFormat(locale, { timeZoneName: 'shortOffset' }))
  const offset = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value
  return offset && offset !== timeZone && timeZone !== 'UTC' ? `${timeZone} (${offset})` : timeZone
}

/** `20 – 26 Nov 2026` */
export const dateRangeText = (from: Date, to: Date, look: DateLook) => dateFormat(look).formatRange(from, to)

/** `a, b, and c` */
export const listText = (items: Iterable<string>) =>
  perLocale('list', (locale) => new Intl.ListFormat(american(locale))).format(items)

/** `a, b, or c` */
export const anyOfText = (items: Iterable<string>) =>
  perLocale('any of', (locale) => new Intl.ListFormat(american(locale), { type: 'disjunction' })).format(items)

/** The order that people look names up in: case and accents count last, `task 2` stands before `task 10`. */
export const compareNames = (a: string, b: string) =>
  perLocale('names', (locale) => new Intl.Collator(locale, { numeric: true })).compare(a, b)
