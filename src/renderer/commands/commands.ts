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

let commands: readonly Command[] = []
const listeners = new Set<() => void>()

function replace(next: readonly Command[]): void {
  commands = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Commands that can be performed now; of two with the same id or shortcut the one registered last wins. */
export function availableCommands(): Command[] {
  const byId = new Map<string, Command>()
  for (const command of commands) if (command.when !== false) byId.set(command.id, command)
  return [...byId.values()]
}

export const findCommand = (id: string) => availableCommands().find((command) => command.id === id)

/** All registered commands, kept up to date. */
export function useRegisteredCommands(): Command[] {
  useSyncExternalStore(subscribe, () => commands)
  return availableCommands()
}

/** The fields that others see; `run` is always the newest closure and needs no new registration. */
const visible = ({ run: _, icon: __, ...rest }: Command) => JSON.stringify(rest)

/** Registers commands while the component is mounted. */
export function useCommands(own: readonly Command[]): void {
  const latest = useRef(own)
  latest.current = own
  const signature = own.map(visible).join('\n')
  useEffect(() => {
    const registered = latest.current.map((command): Command => ({
      ...command,
      run: () => latest.current.find((each) => each.id === command.id)?.run(),
    }))
    replace([...commands, ...registered])
    return () => {
      const gone = new Set(registered)
      replace(commands.filter((command) => !gone.has(command)))
    }
  }, [signature])
}
