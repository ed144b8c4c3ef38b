import { BrowserWindow, dialog, nativeTheme, screen } from 'electron'
import { VERSION_ARGUMENT } from '../bridge/channels.ts'
import { cascade, MIN_SIZE, placeOnScreens, type WindowState } from './window-state.ts'
import type { Words } from '../words.ts'

export interface WindowOptions {
  preload: string
  icon: string
  appVersion: string
  words: () => Words
  /** True once the user has said that he leaves: each window asks once. */
  leaving: () => boolean
  /** The user stays: whatever closed the windows is called off. */
  onStay: () => void
}

const background = (): string => (nativeTheme.shouldUseDarkColors ? '#15191d' : '#ffffff')

/** Once: what shows while a window is made larger has the colour of the pages. */
export function followTheme(): void {
  nativeTheme.on('updated', () => {
    for (const window of BrowserWindow.getAllWindows()) window.setBackgroundColor(background())
  })
}

const SHOW_AFTER_MS = 10_000

/** Creates a window with nothing in it yet; it shows itself when its first page is painted. */
export function createWindow(
  options: WindowOptions,
  state: WindowState | null,
  others: readonly WindowState[],
  focus: boolean,
): BrowserWindow {
  const screens = screen.getAllDisplays().map((display) => display.workArea)
  const taken = others.flatMap(({ x, y, width, height }) =>
    x === undefined || y === undefined ? [] : [{ x, y, width, height }],
  )
  const place = state ? placeOnScreens(state, screens) : cascade(others.at(-1), taken, screens)
  const window = new BrowserWindow({
    width: place.width,
    height: place.height,
    x: place.x,
    y: place.y,
    minWidth: MIN_SIZE.width,
    minHeight: MIN_SIZE.height,
    title: 'Headgate',
    icon: options.icon,
    show: false,
    backgroundColor: background(),
    webPreferences: {
      preload: options.preload,
      additionalArguments: [VERSION_ARGUMENT + options.appVersion],
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      navigateOnDragDrop: false,
      safeDialogs: true,
    },
  })
  const show = (): void => {
    clearTimeout(late)
    if (window.isVisible()) return
    if (place.maximized) window.maximize()
    if (focus) window.show()
    else window.showInactive()
  }
  // A page that never paints must not leave an app that cannot be seen.
  const late = setTimeout(show, SHOW_AFTER_MS)
  window.once('ready-to-show', show)
  window.on('closed', () => clearTimeout(late))
  window.webContents.on('will-prevent-unload', (event) => {
    if (options.leaving() || mayLeave(window, options.words())) event.preventDefault()
    else options.onStay()
  })
  return window
}

/** A page with unsaved input objects to closing; Electron leaves it to the app to ask. */
function mayLeave(window: BrowserWindow, words: Words): boolean {
  const choice = dialog.showMessageBoxSync(window, {
    type: 'question',
    message: words.unsaved,
    detail: words.unsavedDetail,
    buttons: [words.stay, words.leave],
    defaultId: 0,
    cancelId: 0,
  })
  return choice === 1
}
