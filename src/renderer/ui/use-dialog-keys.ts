import { useEffect, useRef } from 'react'
import { matchesChord } from '../commands/keys.ts'

/** Shortcuts of a dialog: while one is open, those of the page below it rest. */
export function useDialogKeys(opened: boolean, shortcuts: readonly string[], run: () => void): void {
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  const wanted = shortcuts.join(' ')
  useEffect(() => {
    if (!opened) return
    const onKeyDown = (event: KeyboardEvent) => {
      // The very key press that opened the dialog comes by here, too; the page has claimed it.
      if (event.defaultPrevented || event.repeat) return
      if (!wanted.split(' ').some((shortcut) => matchesChord(event, shortcut))) return
      event.preventDefault()
      latest.current()
    }
    globalThis.addEventListener('keydown', onKeyDown)
    return () => globalThis.removeEventListener('keydown', onKeyDown)
  }, [opened, wanted])
}
