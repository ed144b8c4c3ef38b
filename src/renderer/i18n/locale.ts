/** The locale that dates, numbers and lists are written in: set when the language is, read by `ui/format.ts` and `ui/time.ts`. */
let current = 'en'
export type Hours = 'h12' | 'h23'
let hours: Hours = 'h23'

export const currentLocale = () => current
export const currentHours = () => hours

export function setLocale(locale: string, cycle: Hours = 'h23'): void {
  current = locale
  hours = cycle
}

/** Whether times have 12 or 24 hours on this machine, whatever the language of the window. */
export function systemHours(): Hours {
  const { hourCycle } = new Intl.DateTimeFormat(undefined, { hour: 'numeric' }).resolvedOptions()
  return hourCycle === 'h11' || hourCycle === 'h12' ? 'h12' : 'h23'
}
