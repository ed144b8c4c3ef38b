/** The one command registry: palette, shortcuts, the `?` list, tooltips and the desktop menu all read it. */
import type { TablerIcon } from '@tabler/icons-react'
import { useEffect, useRef, useSyncExternalStore } from 'react'

export interface Command {
  /** Unique; the desktop menu asks for some by name (`new-task`, `go-runs`). */
  id: string
  title: string
  /** Heading in palette and list. */
  group?: string
  icon?: TablerIcon
  /** Other words that it is found by. */
  keywords?: string
  /** `mod+s`, `g t`, `?`; see keys.ts. */
  shortcut?: string
  /** False hides it: not allowed, nothing selected. */
  when?: boolean
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

function changed(): void {
  revision += 1
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Commands that can be performed now; of two with the same id the one registered last wins. */
export function availableCommands(): Command[] {
  const byId = new Map<string, Command>()
  for (const { commands } of sources) {
    for (const command of commands) if (command.when !== false) byId.set(command.id, command)
  }
  return [...byId.values()]
}

export const findCommand = (id: string) => availableCommands().find((command) => command.id === id)

/** All registered commands, kept up to date. */
export function useRegisteredCommands(): Command[] {
  useSyncExternalStore(subscribe, () => revision)
  return availableCommands()
}

/** What others see of the commands: when it changes they are told; a new `run` alone concerns nobody. */
const visible = (commands: readonly Command[]) =>
  commands
    .map(({ id, title, group, keywords, shortcut, when, hidden }) =>
      JSON.stringify([id, title, group, keywords, shortcut, when, hidden]),
    )
    .join('\n')

/** Registers commands while the component is mounted. They always do what its newest rendering says. */
export function useCommands(own: readonly Command[]): void {
  const source = useRef<Source>({ commands: [] })
  useEffect(() => {
    const before = visible(source.current.commands)
    source.current.commands = own
    if (before !== visible(own)) changed()
  })
  useEffect(() => {
    const { current } = source
    sources.add(current)
    changed()
    return () => {
      sources.delete(current)
      changed()
    }
  }, [])
}
