/** What is changed on the way to `PUT /api/server/config`. Pure. */
import type { ErrorDetail } from '../../../contract/errors.ts'
import type { ServerSetting } from '../../../contract/server-config.ts'

/** A value that is to hold, or the setting taken out of the file so that its default does. */
export type Change = { value: unknown } | 'default'
export type Draft = Readonly<Record<string, Change>>

/** A setting that the environment or an argument gives cannot be changed here. */
export const isFixed = (setting: ServerSetting) => setting.source === 'environment' || setting.source === 'argument'

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** What the control shows: the draft, else what will hold. */
export function shownValue(setting: ServerSetting, draft: Draft): unknown {
  const change = draft[setting.key]
  if (change === undefined) return setting.next_value
  return change === 'default' ? setting.default : change.value
}

/** The draft with one change; a change back to what holds is none. */
export function changed(draft: Draft, setting: ServerSetting, change: Change): Draft {
  const { [setting.key]: _, ...others } = draft
  const back =
    change === 'default'
      ? setting.source === 'default'
      : setting.type !== 'secret' && same(change.value, setting.next_value)
  return back ? others : { ...others, [setting.key]: change }
}

/** What was saved when each setting of the draft was first changed. */
export type Bases = Readonly<Record<string, unknown>>

/** Drafted settings that somebody else has saved meanwhile: saving the draft would undo that unseen. */
export const overtakenBy = (settings: readonly ServerSetting[], draft: Draft, bases: Bases): ServerSetting[] =>
  settings.filter(
    (setting) =>
      draft[setting.key] !== undefined &&
      !same(bases[setting.key], setting.next_value) &&
      !same(shownValue(setting, draft), setting.next_value),
  )

export const valuesOf = (draft: Draft): Record<string, unknown> =>
  Object.fromEntries(Object.entries(draft).map(([key, change]) => [key, change === 'default' ? null : change.value]))

/** What the server says of one setting. */
export const problemOf = (details: readonly ErrorDetail[], key: string) =>
  details.find(({ path }) => path === key || path.endsWith(`.${key}`) || path.includes(`"${key}"`))?.message

/** Details that speak of none of these settings: said of the whole. */
export const otherProblems = (details: readonly ErrorDetail[], keys: readonly string[]) =>
  details.filter((detail) => !keys.some((key) => problemOf([detail], key)))

/** Whether the server keeps a value for a secret: reads give `{set}` instead of it. */
export const isSet = (value: unknown) =>
  typeof value === 'object' && value !== null && 'set' in value && value.set === true
