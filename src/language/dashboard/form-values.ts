import type { FormField } from './dashboard.types.ts'

/** What the fields of a form hold before someone enters something, by key. Fields without a default are left out. */
export const startValues = (fields: readonly FormField[]): Record<string, unknown> =>
  Object.fromEntries(fields.flatMap(({ key, default: start }) => (start === null ? [] : [[key, start]])))

export const isEmptyValue = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** Whether the fields hold what they start with. */
export const isAtStart = (fields: readonly FormField[], values: Readonly<Record<string, unknown>>): boolean =>
  fields.every(({ key, default: start }) => {
    const value = Object.hasOwn(values, key) ? values[key] : start
    // An empty switch is off.
    const [now, before] = [value, start].map((one) => (isEmptyValue(one) || one === false ? null : one))
    return JSON.stringify(now) === JSON.stringify(before)
  })
