/** A text being written over one that is stored. */
export interface WrittenText {
  /** The stored text that is known to whoever writes. */
  base: string
  written: string
  /** What was sent to be stored: when it is, nobody else has changed anything. */
  sent: string | null
}

/** One that is untouched follows the stored one. A stored text that is not `base` after this is somebody else's: a choice is asked for. */
export function followText(text: WrittenText, stored: string): WrittenText {
  if (stored === text.base) return text
  if (text.written === text.base || text.written === stored) return { ...text, base: stored, written: stored }
  return stored === text.sent ? { ...text, base: stored } : text
}
