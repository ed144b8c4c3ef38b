// What a panel would show is recorded; a spec finds the tray by `Tray.all`, and clicks its items.
import { EventEmitter } from 'node:events'
import { existsSync } from 'node:fs'
import type { Menu } from './desktop.ts'

export class Tray extends EventEmitter {
  /** Every icon that is shown, for specs: true Electron has no such list. */
  static readonly all: Tray[] = []
  image = ''
  toolTip = ''
  menu: Menu | null = null

  constructor(image: string) {
    super()
    this.setImage(image)
    Tray.all.push(this)
  }

  /** Like Electron's, throws where there is no such picture. */
  setImage(image: string): void {
    if (!existsSync(image)) throw new Error(`Failed to load image from path '${image}'`)
    this.image = image
  }

  setToolTip(text: string): void {
    this.toolTip = text
  }

  setContextMenu(menu: Menu | null): void {
    this.menu = menu
  }

  destroy(): void {
    Tray.all.splice(Tray.all.indexOf(this), 1)
  }
}
