import { useEffect } from 'react'
import { availableCommands } from './commands.ts'
import { isSequence, matchesChord, usesModifier } from './keys.ts'

const sequenceTimeoutMs = 1200

/** Letters typed into a field are text; only chords with a modifier are commands there. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return !/^(checkbox|radio|button|submit|range)$/.test(target.type)
  return target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
}

const dialogOpen = () => document.querySelector('[role="dialog"][aria-modal="true"]') !== null

/** Listens for the shortcuts of all registered commands. Mounted once. */
export function useShortcuts(): void {
  useEffect(() => {
    let first: { key: string; at: number } | null = null
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.repeat) return
      const typing = isTyping(event.target)
      const pending =
        first && Date.now() - first.at < sequenceTimeoutMs ? `${first.key} ${event.key.toLowerCase()}` : null
      first = null
      const command = availableCommands().findLast(({ shortcut }) => {
        if (!shortcut) return false
        if (isSequence(shortcut)) return !typing && shortcut === pending
        if (typing && !usesModifier(shortcut)) return false
        return matchesChord(event, shortcut)
      })
      // Below an open dialog the page stands still.
      if (command && !dialogOpen()) {
        event.preventDefault()
        command.run()
      } else if (!typing && !event.ctrlKey && !event.metaKey && !event.altKey && event.key.length === 1) {
        first = { key: event.key.toLowerCase(), at: Date.now() }
      }
    }
    globalThis.addEventListener('keydown', onKeyDown)
    return () => globalThis.removeEventListener('keydown', onKeyDown)
  }, [])
}
