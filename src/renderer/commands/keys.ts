/** Shortcuts as text: `mod+k` (Ctrl, or Cmd on a Mac), `shift+mod+Enter`, `?`, and sequences such as `g t`. Pure. */

const isMac = () => globalThis.navigator !== undefined && /Mac|iPhone|iPad/.test(globalThis.navigator.platform)

export interface KeyPress {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  shiftKey: boolean
  altKey: boolean
}

interface Chord {
  key: string
  mod: boolean
  shift: boolean
  alt: boolean
}

function parseChord(text: string): Chord {
  const parts = text.split('+')
  const key = parts.at(-1) ?? ''
  return {
    key: key.toLowerCase(),
    mod: parts.includes('mod'),
    shift: parts.includes('shift'),
    alt: parts.includes('alt'),
  }
}

export const isSequence = (shortcut: string) => shortcut.includes(' ')
export const usesModifier = (shortcut: string) => /(^|\+)(mod|alt)\+/.test(shortcut)

/** Whether the key press is this chord. Shift only counts where the key does not already say it (`?` is shifted). */
export function matchesChord(press: KeyPress, shortcut: string, mac = isMac()): boolean {
  const chord = parseChord(shortcut)
  if (press.key.toLowerCase() !== chord.key) return false
  const mod = mac ? press.metaKey : press.ctrlKey
  const otherMod = mac ? press.ctrlKey : press.metaKey
  if (mod !== chord.mod || otherMod || press.altKey !== chord.alt) return false
  return chord.key.length === 1 && !chord.mod ? true : press.shiftKey === chord.shift
}

/** How keys are written on this machine: `['⌘', 'K']`, `['Ctrl', 'K']`, `['G', 'T']`. */
export function keyLabels(shortcut: string, mac = isMac()): string[] {
  const names: Record<string, string> = {
    mod: mac ? '⌘' : 'Ctrl',
    shift: mac ? '⇧' : 'Shift',
    alt: mac ? '⌥' : 'Alt',
    enter: mac ? '↩' : 'Enter',
    escape: 'Esc',
    arrowup: '↑',
    arrowdown: '↓',
  }
  const order = ['mod', 'shift', 'alt']
  return shortcut.split(' ').flatMap((chord) => {
    const parts = chord.split('+')
    parts.sort((a, b) => ((order.indexOf(a) + 4) % 4) - ((order.indexOf(b) + 4) % 4))
    return parts.map((part) => names[part.toLowerCase()] ?? (part.length === 1 ? part.toUpperCase() : part))
  })
}
