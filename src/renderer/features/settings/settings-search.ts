/** Finding a setting by what somebody remembers of it. Pure. */
import type { ServerSetting } from '../../../contract/server-config.ts'

/** Every word that was typed stands in one of the texts. */
export function matches(find: string, texts: readonly (string | undefined)[]): boolean {
  const all = texts.join('\n').toLowerCase()
  return find
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word))
}

export const settingMatches = (setting: ServerSetting, find: string) =>
  matches(find, [setting.title, setting.description, setting.key, setting.env, ...(setting.options ?? [])])

export interface SettingGroup {
  /** The part of the keys before the first dot. */
  name: string
  settings: ServerSetting[]
}

/** In the order of the server, a group where its first setting stands. */
export function groupsOf(settings: readonly ServerSetting[]): SettingGroup[] {
  const groups = new Map<string, ServerSetting[]>()
  for (const setting of settings) {
    const name = setting.key.split('.', 1)[0] ?? ''
    const group = groups.get(name)
    if (group) group.push(setting)
    else groups.set(name, [setting])
  }
  return [...groups].map(([name, members]) => ({ name, settings: members }))
}
