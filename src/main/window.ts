import { BrowserWindow, dialog, nativeTheme, screen } from 'electron'
import { VERSION_ARGUMENT } from './channels.ts'
import { MIN_SIZE, placeOnScreens, readWindowState, writeWindowState } from './window-state.ts'

export interface WindowOptions {
  preload: string
  icon: string
  /** Where the place on the screen is kept between two starts. */
  stateFile: string
  appVersion: string
  log: (text: string) => void
}

/** Creates a window with nothing in it yet; it shows itself when its first page is painted. */
export function createWindow(options: WindowOptions): BrowserWindow {
  const { width, height, x, y, maximized } = placeOnScreens(
    readWindowState(options.stateFile),
    screen.getAllDisplays().map((display) => display.workArea),
  )
  const window = new BrowserWindow({
    width,
    height,
    x,
    y,
    minWidth: MIN_SIZE.width,
    minHeight: MIN_SIZE.height,
    title: 'Headgate',
    icon: options.icon,
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#1a1b1e' : '#ffffff',
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
  window.once('ready-to-show', () => {
    if (maximized) window.maximize()
    window.show()
  })
  window.on('close', () => rememberState(window, options))
  window.webContents.on('will-prevent-unload', (event) => {
    if (mayLoseInput(window)) event.preventDefault()
  })
  return window
}

function rememberState(window: BrowserWindow, { stateFile, log }: WindowOptions): void {
  try {
    writeWindowState(stateFile, { ...window.getNormalBounds(), maximized: window.isMaximized() })
  } catch (error) {
    log(`headgate: the window's place could not be kept: ${String(error)}\n`)
  }
}

/** A page with unsaved input objects to closing; Electron leaves it to the app to ask. */
function mayLoseInput(window: BrowserWindow): boolean {
  const choice = dialog.showMessageBoxSync(window, {
    type: 'question',
    message: 'Leave without saving?',
    detail: 'This window has changes that are not saved yet.',
    buttons: ['Stay', 'Leave'],
    defaultId: 0,
    cancelId: 0,
  })
  return choice === 1
}
