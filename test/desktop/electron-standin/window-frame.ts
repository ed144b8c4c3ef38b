import { EventEmitter } from 'node:events'
import type { Params } from './cdp.ts'

export interface Bounds {
  x: number
  y: number
  width: number
  height: number
}

/** Where a window is, how large, and what its title says. */
export abstract class WindowFrame extends EventEmitter {
  readonly #bounds: Bounds
  #title: string
  #state: 'normal' | 'minimized' | 'maximized' | 'fullscreen' = 'normal'

  constructor({ x = 40, y = 40, width = 800, height = 600 }: Partial<Bounds>, title: string) {
    super()
    this.#bounds = { x, y, width, height }
    this.#title = title
  }

  /** Tells Chromium. */
  protected abstract applyBounds(bounds: Params): void

  minimize(): void {
    this.#setState('minimized')
  }

  restore(): void {
    this.#setState('normal')
  }

  maximize(): void {
    this.#setState('maximized')
  }

  isMinimized(): boolean {
    return this.#state === 'minimized'
  }

  isMaximized(): boolean {
    return this.#state === 'maximized'
  }

  isFullScreen(): boolean {
    return this.#state === 'fullscreen'
  }

  setFullScreen(now: boolean): void {
    this.#setState(now ? 'fullscreen' : 'normal')
  }

  #setState(state: 'normal' | 'minimized' | 'maximized' | 'fullscreen'): void {
    const before = this.#state
    this.#state = state
    if (state === 'maximized') this.emit('maximize')
    else if (before === 'maximized') this.emit('unmaximize')
    this.applyBounds({ windowState: state })
  }

  getNormalBounds(): Bounds {
    return { ...this.#bounds }
  }

  getSize(): [number, number] {
    return [this.#bounds.width, this.#bounds.height]
  }

  setSize(width: number, height: number): void {
    this.setBounds({ width, height })
  }

  getBounds(): Bounds {
    return { ...this.#bounds }
  }

  setBounds(bounds: Partial<Bounds>): void {
    Object.assign(this.#bounds, bounds)
    const { x, y, width, height } = this.#bounds
    this.applyBounds({ left: x, top: y, width, height })
    if (bounds.x !== undefined || bounds.y !== undefined) this.emit('move')
    if (bounds.width !== undefined || bounds.height !== undefined) this.emit('resize')
  }

  getPosition(): [number, number] {
    return [this.#bounds.x, this.#bounds.y]
  }

  setPosition(x: number, y: number): void {
    this.setBounds({ x, y })
  }

  setBackgroundColor(): void {}

  getTitle(): string {
    return this.#title
  }

  setTitle(title: string): void {
    this.#title = title
  }
}
