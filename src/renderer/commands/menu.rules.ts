/** What the desktop's menu shows of the registry. Pure. */
import type { DesktopMenuCommand, DesktopMenuName } from '../../contract/desktop-bridge.ts'
import { type Command, type CommandGroup, commandGroups } from './commands.ts'
import { acceleratorOf, writesNothing } from './keys.ts'

const menuOf: Readonly<Record<CommandGroup, DesktopMenuName>> = {
  page: 'page',
  row: 'page',
  create: 'file',
  go: 'go',
  view: 'view',
  general: 'help',
}

export const groupOf = (command: Command): CommandGroup => command.group ?? 'page'

/** What is done often has keys, and of those the ones that work everywhere come first. */
const rankOf = ({ shortcut }: Command) => (shortcut === undefined ? 2 : writesNothing(shortcut) ? 0 : 1)

/** Commands by their headings, in the order of the headings; the frequent ones first where they belong to the page. */
export function byGroup<C extends Command>(commands: readonly C[]): [CommandGroup, C[]][] {
  return commandGroups
    .map((group): [CommandGroup, C[]] => [group, commands.filter((command) => groupOf(command) === group)])
    .map(([group, members]): [CommandGroup, C[]] => [
      group,
      group === 'page' ? members.toSorted((a, b) => rankOf(a) - rankOf(b)) : members,
    ])
    .filter(([, members]) => members.length > 0)
}

/** Every command that has a menu, by groups; what moves a mark in a list has none. */
export function desktopMenu(
  commands: readonly Command[],
  titleOf: (group: CommandGroup) => string,
): DesktopMenuCommand[] {
  return byGroup(commands).flatMap(([group, members]) =>
    members.flatMap(({ id, title, menu = menuOf[group], shortcut }) => {
      if (menu === null) return []
      const accelerator = shortcut && acceleratorOf(shortcut)
      return [{ id, title, menu, group: titleOf(group), ...(accelerator ? { accelerator } : {}) }]
    }),
  )
}
