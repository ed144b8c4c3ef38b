const MODIFIERS = new Set(
  'Command Cmd Control Ctrl CommandOrControl CmdOrCtrl Alt Option AltGr Shift Super Meta'.split(' '),
)

const KEYS = new Set(
  (
    'Plus Space Tab Capslock Numlock Scrolllock Backspace Delete Insert Return Enter Up Down Left Right Home End PageUp ' +
    'PageDown Escape Esc PrintScreen'
  ).split(' '),
)

/** Whether Electron takes it: modifiers and one key, joined by `+`. */
export function isAccelerator(text: string): boolean {
  const parts = text.split('+')
  const key = parts.pop() ?? ''
  const isKey = KEYS.has(key) || /^F([1-9]|1\d|2[0-4])$/.test(key) || /^[!-*,-~]$/.test(key)
  return isKey && parts.every((part) => MODIFIERS.has(part))
}
