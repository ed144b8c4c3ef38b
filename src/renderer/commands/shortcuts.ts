import { useEffect } from 'react'
import { type Command, availableCommands } from './commands.ts'
import { isSequence, matchesChord, writesNothing } from './keys.ts'

/** From the first key of a sequence to the second, as the keyboard tells it. */
const sequenceTimeoutMs = 3000

/** Letters typed into a field are text; only keys that write nothing are commands there. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return !/^(checkbox|radio|button|submit|range)$/.test(target.type)
  return target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
}

/** An open menu or list of choices has the letters for itself. */
const isChoosing = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[role="menu"], [role="listbox"]') !== null

/** Below an open dialog the page stands still: by key, and by the desktop's menu. */
export const dialogOpen = () => document.querySelector('[role="dialog"][aria-modal="true"]') !== null

const keysOf = ({ shortcut, also }: Command) => [shortcut, also].filter((keys) => keys !== undefined)

/** Listens for the shortcuts of all registered commands. Mounted once. */
export function useShortcuts(): void {
  useEffect(() => {
    let first: { key: string; at: number } | null = null
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.repeat) return
      const busy = isTyping(event.target) || isChoosing(event.target)
      const pending =
        first && event.timeStamp - first.at < sequenceTimeoutMs ? `${first.key} ${event.key.toLowerCase()}` : null
      first = null
      const hears = (keys: string) => {
        if (isSequence(keys)) return !busy && keys === pending
        return (!busy || writesNothing(keys)) && matchesChord(event, keys)
      }
      // A sequence that was begun goes before the single key that ends it.
      const commands = availableCommands()
      const command =
        (pending === null ? undefined : commands.findLast(({ shortcut }) => shortcut === pending && hears(shortcut))) ??
        commands.findLast((one) => keysOf(one).some(hears))
      if (command && !dialogOpen()) {
        event.preventDefault()
        command.run()
      } else if (!busy && !event.ctrlKey && !event.metaKey && !event.altKey && event.key.length === 1) {
        first = { key: event.key.toLowerCase(), at: event.timeStamp }
      }
    }
    globalThis.addEventListener('keydown', onKeyDown)
    return () => globalThis.removeEventListener('keydown', onKeyDown)
  }, [])
}
