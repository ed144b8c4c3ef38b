/** The one command registry: palette, shortcuts, the `?` list, tooltips and the desktop's menu all read it. */
import type { TablerIcon } from '@tabler/icons-react'
import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import type { DesktopMenuName } from '../../contract/desktop-bridge.ts'
import { useOffline } from '../api/events.ts'

/** Headings in palette and list, in this order; their words are `shell:groups`. */
export const commandGroups = ['page', 'row', 'create', 'go', 'view', 'general'] as const
export type CommandGroup = (typeof commandGroups)[number]

export interface Command {
  /** Unique on the page: `new-task`, `run.cancel`. */
  id: string
  title: string
  /** Below the heading of its group, which says the rest: `Tasks` for `Go to tasks`. Default: the title. */
  short?: string
  /** Default: what the shown page can do. */
  group?: CommandGroup
  /** Which menu of the desktop's window has it; null: none. Default: by the group. */
  menu?: DesktopMenuName | null
  icon?: TablerIcon
  /** Other words that it is found by. */
  keywords?: string
  /** `mod+s`, `g t`, `?`; see keys.ts. */
  shortcut?: string
  /** A second key for hands that know it from elsewhere. */
  also?: string
  /** False hides it: not allowed, nothing selected. */
  when?: boolean
  /** Can’t be performed while the server can’t be reached. */
  needsServer?: boolean | undefined
  /** Stands in the `?` list and works by key, but not in the palette. */
  hidden?: boolean
  run: () => void
}

interface Source {
  commands: readonly Command[]
}

const sources = new Set<Source>()
const listeners = new Set<() => void>()
let revision = 0
/** What holds now; made again after any source has drawn itself anew. */
let available: Command[] | null = null

function changed(): void {
  available = null
  revision += 1
  for (const listener of listeners) listener()
}

/** Tells whenever the commands that can be performed change. */
export function onCommandsChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Commands that can be performed now; of two with the same id the one registered last wins. */
export function availableCommands(): readonly Command[] {
  if (available) return available
  const byId = new Map<string, Command>()
  for (const { commands } of sources) {
    for (const command of commands) if (command.when !== false) byId.set(command.id, command)
  }
  available = [...byId.values()]
  return available
}

export const findCommand = (id: string) => availableCommands().find((command) => command.id === id)

/** All registered commands, kept up to date. */
export function useRegisteredCommands(): readonly Command[] {
  useSyncExternalStore(onCommandsChange, () => revision)
  return availableCommands()
}

/** The keys of a command while it can be performed: for tooltips, menus and hints. */
export const useShortcutOf = (id: string | undefined): string | undefined =>
  useSyncExternalStore(onCommandsChange, () => (id === undefined ? undefined : findCommand(id)?.shortcut))

/** What others see of the commands: when it changes they are told; a new `run` alone concerns nobody. */
const visible = (commands: readonly Command[]) =>
  commands
    .map(({ id, title, group, menu, keywords, shortcut, also, when, hidden }) =>
      JSON.stringify([id, title, group, menu, keywords, shortcut, also, when, hidden]),
    )
    .join('\n')

/** Registers commands while the component is mounted. They always do what its newest rendering says. */
export function useCommands(given: readonly Command[]): void {
  const offline = useOffline()
  const own = offline ? given.map((one) => (one.needsServer ? { ...one, when: false } : one)) : given
  const source = useRef<Source>({ commands: [] })
  // Before it is painted: a key that is pressed as soon as the page is seen counts.
  useLayoutEffect(() => {
    // Rows of a table have commands only where the keyboard stands: the others come and go unnoticed.
    if (source.current.commands.length + own.length === 0) return
    source.current.commands = own
    available = null
  })
  useLayoutEffect(() => {
    const { current } = source
    sources.add(current)
    available = null
    return () => {
      sources.delete(current)
      available = null
    }
  }, [])
  const announced = useRef('')
  useEffect(() => {
    const seen = visible(own)
    if (seen === announced.current) return
    announced.current = seen
    changed()
  })
  useEffect(
    () => () => {
      if (announced.current !== '') changed()
    },
    [],
  )
}
