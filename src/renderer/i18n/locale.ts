/** The locale that dates, numbers and lists are written in: set when the language is, read by `ui/format.ts` and `ui/time.ts`. */
let current = 'en'

export const currentLocale = () => current

export function setLocale(locale: string): void {
  current = locale
}
