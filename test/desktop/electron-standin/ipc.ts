import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import type { Encoded } from './codec.ts'

export type Handler = (event: object, ...args: unknown[]) => unknown

class IpcMain extends EventEmitter {
  readonly handlers = new Map<string, Handler>()

  handle(channel: string, handler: Handler): void {
    if (this.handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`)
    this.handlers.set(channel, handler)
  }

  removeHandler(channel: string): void {
    this.handlers.delete(channel)
  }
}

export const ipcMain = new IpcMain()

/** The name of the function through which a page's shim speaks to main. */
export const BINDING = '__electronStandin'

/** What a page sends through the binding. */
export type FromPage =
  | { kind: 'invoke'; id: number; channel: string; args: Encoded[] }
  | { kind: 'send'; channel: string; args: Encoded[] }
  /** Asks for the paths of the files that stand in the page under `id`. */
  | { kind: 'files'; id: number }
  | { kind: 'open'; url: string; frameName: string; features: string }

/** What main sends to a page. */
export type ToPage =
  | { kind: 'event'; channel: string; args: Encoded[] }
  | { kind: 'paths'; id: number; paths: string[] }
  | { kind: 'reply'; id: number; channel: string; value?: Encoded; error?: string }

/** The script that runs in a page before all others: codec, shim and the app's preload. */
export function pageScript(preload: string | undefined, additionalArguments: readonly string[]): string {
  const here = import.meta.dirname
  const codec = stripTypeScriptTypes(readFileSync(join(here, 'codec.ts'), 'utf8')).replace(/^export /gm, '')
  const shim = readFileSync(join(here, 'page-shim.js'), 'utf8')
    .replace('__PLATFORM__', literal(process.platform))
    .replace('__VERSIONS__', literal(process.versions))
    .replace('__ARGUMENTS__', literal(additionalArguments))
    .replace('__PRELOAD__', () => (preload ? readFileSync(preload, 'utf8') : ''))
  return `{${codec}\n${shim}}`
}

function literal(value: unknown): () => string {
  return () => JSON.stringify(value)
}
