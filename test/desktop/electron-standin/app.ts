import { EventEmitter } from 'node:events'
import { mkdirSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { cpuSeconds } from '../../../src/process/cpu-seconds.ts'
import { bootContext } from './boot-context.ts'
import { closeBrowser } from './browser.ts'
import { newEvent } from './events.ts'
import { takeInstanceLock, type InstanceLock } from './instance-lock.ts'
import { openWindows } from './open-windows.ts'

class App extends EventEmitter {
  readonly isPackaged = bootContext().packaged
  name = bootContext().manifest.productName ?? bootContext().manifest.name ?? 'Electron'
  /** True from the moment quitting has begun until it is done or prevented. */
  quitting = false
  readonly #switches = bootContext().switches
  readonly #protocols = new Set<string>()
  readonly #paths = new Map<string, string>()
  readonly #whenReady = Promise.withResolvers<void>()
  #ready = false
  #lock: InstanceLock | null = null

  readonly commandLine = {
    appendSwitch: (name: string, value = ''): void => void this.#switches.set(name, value),
    hasSwitch: (name: string): boolean => this.#switches.has(name),
    getSwitchValue: (name: string): string => this.#switches.get(name) ?? '',
    removeSwitch: (name: string): void => void this.#switches.delete(name),
  }

  /** Of main and its utility processes. */
  readonly utilityPids = new Set<number>()
  getAppMetrics(): { pid: number; cpu: { cumulativeCPUUsage?: number } }[] {
    return [process.pid, ...this.utilityPids].map((pid) => ({ pid, cpu: { cumulativeCPUUsage: cpuSeconds(pid) } }))
  }

  getName(): string {
    return this.name
  }

  setName(name: string): void {
    this.name = name
  }

  getVersion(): string {
    return bootContext().manifest.version ?? '0.0.0'
  }

  getAppPath(): string {
    return bootContext().root
  }

  getLocale(): string {
    return 'en-US'
  }

  isReady(): boolean {
    return this.#ready
  }

  whenReady(): Promise<void> {
    return this.#whenReady.promise
  }

  fireReady(): void {
    this.#ready = true
    this.emit('ready', newEvent(), {})
    this.#whenReady.resolve()
  }

  getPath(name: string): string {
    const path = this.#paths.get(name) ?? this.#defaultPath(name)
    mkdirSync(path, { recursive: true })
    return path
  }

  setPath(name: string, path: string): void {
    this.#paths.set(name, path)
  }

  #defaultPath(name: string): string {
    const appData = process.env.XDG_CONFIG_HOME ?? join(homedir(), '.config')
    if (name === 'home') return homedir()
    if (name === 'appData') return appData
    if (name === 'userData') return this.#switches.get('user-data-dir') || join(appData, this.name)
    if (name === 'sessionData') return this.getPath('userData')
    if (name === 'logs') return join(this.getPath('userData'), 'logs')
    if (name === 'temp') return tmpdir()
    if (name === 'downloads') return join(homedir(), 'Downloads')
    throw new Error(`Failed to get '${name}' path`)
  }

  requestSingleInstanceLock(additionalData: unknown = {}): boolean {
    this.#lock ??= takeInstanceLock(this.getPath('userData'), additionalData, (second) =>
      this.emit('second-instance', newEvent(), second.argv, second.cwd, second.additionalData),
    )
    return this.#lock !== null
  }

  hasSingleInstanceLock(): boolean {
    return this.#lock !== null
  }

  releaseSingleInstanceLock(): void {
    this.#lock?.release()
    this.#lock = null
  }

  quit(): void {
    if (this.quitting) return
    const event = newEvent()
    this.emit('before-quit', event)
    if (event.defaultPrevented) return
    this.quitting = true
    void this.#closeAllAndEnd()
  }

  async #closeAllAndEnd(): Promise<void> {
    for (const window of openWindows.values()) {
      if (window.tryClose()) continue
      this.quitting = false
      return
    }
    const event = newEvent()
    this.emit('will-quit', event)
    if (event.defaultPrevented) {
      this.quitting = false
      return
    }
    this.emit('quit', newEvent(), 0)
    this.exit(0)
  }

  /** Ends without asking windows. */
  exit(code = 0): void {
    this.quitting = true
    this.releaseSingleInstanceLock()
    void closeBrowser().then(() => process.exit(code))
  }

  /** The system is not told; `isDefaultProtocolClient` says what was. */
  setAsDefaultProtocolClient(protocol: string): boolean {
    this.#protocols.add(protocol)
    return true
  }

  isDefaultProtocolClient(protocol: string): boolean {
    return this.#protocols.has(protocol)
  }

  removeAsDefaultProtocolClient(protocol: string): boolean {
    return this.#protocols.delete(protocol)
  }

  #loginItem = { openAtLogin: false, wasOpenedAtLogin: false }

  /** The system is not told. */
  setLoginItemSettings({ openAtLogin }: { openAtLogin: boolean }): void {
    this.#loginItem = { ...this.#loginItem, openAtLogin }
  }

  getLoginItemSettings(): { openAtLogin: boolean; wasOpenedAtLogin: boolean } {
    return this.#loginItem
  }

  focus(): void {}
  setAppUserModelId(): void {}
  enableSandbox(): void {}
  setAboutPanelOptions(): void {}
}

export const app = new App()
