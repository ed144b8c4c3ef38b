// Runs sandboxed, in its own world, before every page of our windows. It holds no secret and decides nothing: main
// checks each sender. Bundled into one CommonJS file.
import { contextBridge, ipcRenderer } from 'electron'
import type { DesktopBridge, DesktopCommand } from '../contract/desktop-bridge.ts'
import { CHANNELS, VERSION_ARGUMENT, type Reply, type StatusAction } from './channels.ts'

async function ask<T>(channel: string, ...args: unknown[]): Promise<T> {
  // Both ends are built from the same source; the type is that of the handler in ipc.ts.
  const reply = (await ipcRenderer.invoke(channel, ...args)) as Reply<T>
  if (reply.ok) return reply.value
  throw new Error(reply.message)
}

function argument(prefix: string): string {
  return process.argv.find((one) => one.startsWith(prefix))?.slice(prefix.length) ?? ''
}

const bridge: DesktopBridge = {
  platform: process.platform,
  versions: {
    app: argument(VERSION_ARGUMENT),
    electron: process.versions.electron,
    chrome: process.versions.chrome,
    node: process.versions.node,
  },
  launchToken: () => ask(CHANNELS.launchToken),
  showItemInFolder: (path) => ask(CHANNELS.showItemInFolder, path),
  openFile: (options) => ask(CHANNELS.openFile, options),
  saveFile: (options) => ask(CHANNELS.saveFile, options),
  notify: (notification) => ask(CHANNELS.notify, notification),
  setTheme: (theme) => ask(CHANNELS.setTheme, theme),
  onCommand(listener) {
    const forward = (_event: unknown, command: DesktopCommand): void => listener(command)
    ipcRenderer.on(CHANNELS.command, forward)
    return () => ipcRenderer.off(CHANNELS.command, forward)
  },
}

/** The status page has no script of its own; its buttons name what they do. */
function wireStatusPage(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-action]')) {
    const action = button.dataset.action as StatusAction
    button.addEventListener('click', () => ipcRenderer.send(CHANNELS.statusAction, action))
  }
}

if (location.protocol === 'data:') addEventListener('DOMContentLoaded', wireStatusPage)
else contextBridge.exposeInMainWorld('headgate', bridge)
