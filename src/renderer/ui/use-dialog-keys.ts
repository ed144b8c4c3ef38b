import { createContext, use, useLayoutEffect, useRef } from 'react'
import { matchesChord } from '../commands/keys.ts'

/** Whether a question stands above the dialog: no key reaches what lies below it. */
export const RestingKeys = createContext(false)

/** Shortcuts of a dialog: while one is open, those of the page below it rest. */
export function useDialogKeys(opened: boolean, shortcuts: readonly string[], run: () => void): void {
  const active = opened && !use(RestingKeys)
  const latest = useRef(run)
  useLayoutEffect(() => {
    latest.current = run
  })
  const wanted = shortcuts.join(' ')
  // At once: a key that is pressed as soon as the dialog is seen counts.
  useLayoutEffect(() => {
    if (!active) return
    const onKeyDown = (event: KeyboardEvent) => {
      // The very key press that opened the dialog comes by here, too; the page has claimed it.
      if (event.defaultPrevented || event.repeat) return
      if (!wanted.split(' ').some((shortcut) => matchesChord(event, shortcut))) return
      event.preventDefault()
      latest.current()
    }
    globalThis.addEventListener('keydown', onKeyDown)
    return () => globalThis.removeEventListener('keydown', onKeyDown)
  }, [active, wanted])
}
