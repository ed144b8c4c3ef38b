import { Menu } from 'electron'
import type { AppWindows } from './app-windows.ts'
import { menuTemplate, type MenuActions } from './menu.ts'
import type { Words } from '../words.ts'

export interface MenusOptions {
  platform: NodeJS.Platform
  windows: AppWindows
  words: () => Words
  actions: MenuActions
}

/** Keeps the application menu as the window that was used last has it. */
export function keepMenu({ platform, windows, words, actions }: MenusOptions): void {
  let shown = ''
  let planned = false

  function build(): void {
    planned = false
    const all = windows.all()
    const content = {
      platform,
      words: words(),
      commands: windows.menu()?.commands ?? [],
      mayInspect: windows.mayInspect(),
      windows: all
        .map(({ window }, at) => ({ id: window.id, title: window.getTitle(), current: at === all.length - 1 }))
        .toSorted((a, b) => a.id - b.id),
    }
    // An open menu closes when it is replaced: only by another one.
    const key = JSON.stringify([content.commands, content.mayInspect, content.windows, content.words.file])
    if (key === shown) return
    shown = key
    Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(content, actions)))
  }

  build()
  // A page tells its commands one by one while it is built up; a window that opens or moves says so many times.
  windows.onChange(() => {
    if (planned) return
    planned = true
    setImmediate(build)
  })
}
