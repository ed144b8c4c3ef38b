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
/** Keys that never write anything: heard also while somebody types. A field takes back what was typed into it. */
export const writesNothing = (shortcut: string) => shortcut !== 'mod+z' && /(^|\+)(mod|alt)\+|^F\d+$/.test(shortcut)

/** Whether the key press is this chord. Shift only counts where the key does not say it by itself, as `?` does. */
export function matchesChord(press: KeyPress, shortcut: string, mac = isMac()): boolean {
  const chord = parseChord(shortcut)
  if (press.key.toLowerCase() !== chord.key) return false
  const mod = mac ? press.metaKey : press.ctrlKey
  const otherMod = mac ? press.ctrlKey : press.metaKey
  if (mod !== chord.mod || otherMod || press.altKey !== chord.alt) return false
  const isSymbol = chord.key.length === 1 && !chord.mod && !/\p{L}/u.test(chord.key)
  return isSymbol || press.shiftKey === chord.shift
}

const acceleratorNames: Record<string, string> = {
  mod: 'CommandOrControl',
  shift: 'Shift',
  alt: 'Alt',
  arrowup: 'Up',
  arrowdown: 'Down',
  arrowleft: 'Left',
  arrowright: 'Right',
  escape: 'Esc',
}

/**
 * As Electron writes it. Sequences have none, and a bare key neither: a menu would claim it while somebody types, too.
 */
export function acceleratorOf(shortcut: string): string | undefined {
  if (isSequence(shortcut) || !writesNothing(shortcut)) return undefined
  return shortcut
    .split('+')
    .map((part) => acceleratorNames[part.toLowerCase()] ?? (part.length === 1 ? part.toUpperCase() : part))
    .join('+')
}

const pressed = (shortcut: string) => shortcut.split(' ').map((chord) => chord.toLowerCase())

/** Whether one of them would keep the other from being heard: the same keys, or the beginning of the other's sequence. */
export function keysClash(one: string, other: string): boolean {
  const [a, b] = [pressed(one), pressed(other)]
  return a.slice(0, b.length).join(' ') === b.slice(0, a.length).join(' ')
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
    arrowleft: '←',
    arrowright: '→',
    delete: mac ? '⌦' : 'Del',
  }
  const order = ['mod', 'shift', 'alt']
  return shortcut.split(' ').flatMap((chord) => {
    const parts = chord.split('+')
    parts.sort((a, b) => ((order.indexOf(a) + 4) % 4) - ((order.indexOf(b) + 4) % 4))
    return parts.map((part) => names[part.toLowerCase()] ?? (part.length === 1 ? part.toUpperCase() : part))
  })
}
