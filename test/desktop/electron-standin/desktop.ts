// What the operating system would do is recorded; a spec reads and scripts it through `app.evaluate`.
import { EventEmitter } from 'node:events'
import { app } from './app.ts'
import { unlessGone } from './cdp.ts'
import { newEvent } from './events.ts'
import { focusedWindow, openWindows } from './open-windows.ts'

interface ItemOptions {
  id?: string
  label?: string
  role?: string
  type?: string
  accelerator?: string
  registerAccelerator?: boolean
  visible?: boolean
  checked?: boolean
  enabled?: boolean
  submenu?: ItemOptions[]
  click?: (item: MenuItem, window: unknown) => void
}

export class MenuItem {
  readonly id: string | undefined
  readonly label: string
  readonly role: string | undefined
  readonly type: string
  readonly accelerator: string | undefined
  readonly registerAccelerator: boolean
  visible: boolean
  checked: boolean
  enabled: boolean
  readonly submenu: Menu | undefined
  readonly #click: ItemOptions['click']

  constructor(options: ItemOptions) {
    this.id = options.id
    this.label = options.label ?? ''
    this.role = options.role
    this.type = options.type ?? (options.submenu ? 'submenu' : 'normal')
    this.accelerator = options.accelerator
    this.registerAccelerator = options.registerAccelerator !== false
    this.visible = options.visible !== false
    this.checked = options.checked === true
    this.enabled = options.enabled !== false
    this.submenu = options.submenu && Menu.buildFromTemplate(options.submenu)
    this.#click = options.click
  }

  click(): void {
    if (this.#click) this.#click(this, focusedWindow())
    else if (this.role === 'quit') app.quit()
    else if (this.role === 'close') focusedWindow()?.close()
    else if (this.role === 'reload') focusedWindow()?.webContents.reload()
    else if (this.role === 'minimize') focusedWindow()?.minimize()
  }
}

export class Menu {
  static #application: Menu | null = null
  readonly items: MenuItem[]

  constructor(items: MenuItem[] = []) {
    this.items = items
  }

  static buildFromTemplate(template: ItemOptions[]): Menu {
    return new Menu(template.map((options) => new MenuItem(options)))
  }

  static setApplicationMenu(menu: Menu | null): void {
    Menu.#application = menu
  }

  static getApplicationMenu(): Menu | null {
    return Menu.#application
  }

  getMenuItemById(id: string): MenuItem | null {
    for (const item of this.items) {
      const found = item.id === id ? item : item.submenu?.getMenuItemById(id)
      if (found) return found
    }
    return null
  }
}

export class Notification extends EventEmitter {
  readonly title: string
  readonly body: string

  static isSupported(): boolean {
    return true
  }

  constructor({ title = '', body = '' }: { title?: string; body?: string } = {}) {
    super()
    this.title = title
    this.body = body
  }

  show(): void {
    this.emit('show', newEvent())
  }

  close(): void {
    this.emit('close', newEvent())
  }
}

export const dialog = {
  showOpenDialog: async () => ({ canceled: true, filePaths: [] as string[] }),
  showSaveDialog: async () => ({ canceled: true, filePath: '' }),
  showMessageBox: async () => ({ response: 0, checkboxChecked: false }),
  showMessageBoxSync: () => 0,
  showErrorBox: (title: string, content: string): void => console.error(`[dialog] ${title}: ${content}`),
}

let copied = ''

export const clipboard = {
  readText: async (): Promise<string> => copied,
  writeText: async (text: string): Promise<void> => void (copied = text),
}

/** A spec replaces these to see what would be opened. */
export const shell = {
  openExternal: async (_url: string): Promise<void> => {},
  openPath: async (_path: string): Promise<string> => '',
  showItemInFolder: (_path: string): void => {},
}

class NativeTheme extends EventEmitter {
  #source: 'light' | 'dark' | 'system' = 'system'

  get themeSource(): 'light' | 'dark' | 'system' {
    return this.#source
  }

  set themeSource(source: 'light' | 'dark' | 'system') {
    this.#source = source
    const features = source === 'system' ? [] : [{ name: 'prefers-color-scheme', value: source }]
    for (const window of openWindows.values()) unlessGone(window.command('Emulation.setEmulatedMedia', { features }))
    this.emit('updated')
  }

  get shouldUseDarkColors(): boolean {
    return this.#source === 'dark'
  }
}

export const nativeTheme = new NativeTheme()

const DISPLAY_AREA = { x: 0, y: 0, width: 1920, height: 1080 }

export const screen = {
  getAllDisplays: () => [{ id: 1, bounds: DISPLAY_AREA, workArea: DISPLAY_AREA, scaleFactor: 1 }],
}

export const session = {
  defaultSession: {
    setPermissionRequestHandler(): void {},
    setPermissionCheckHandler(): void {},
    setDevicePermissionHandler(): void {},
  },
  /** For `net` alone, which keeps nothing. */
  fromPartition: (partition: string) => ({ partition }),
}
