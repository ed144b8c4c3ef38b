import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

export interface Manifest {
  name?: string
  productName?: string
  version?: string
  main?: string
}

export interface BootContext {
  /** As it was named in the arguments. */
  app: string
  /** The app's folder, its entry module, and its package.json. */
  root: string
  entry: string
  manifest: Manifest
  /** The folder is an archive's, laid out because nothing here can read archives. */
  packaged: boolean
  /** `--name=value` arguments, as Chromium takes them. */
  switches: Map<string, string>
  /** Modules to load before the app (`-r`), in order. */
  preloads: string[]
}

/** Understands Electron's command line: `[-r module]… [--switch[=value]]… app [argument]…`. */
export function readCommandLine(args: readonly string[]): BootContext {
  const preloads: string[] = []
  const switches = new Map<string, string>()
  let app: string | undefined
  for (let at = 0; at < args.length; at++) {
    const argument = args[at] ?? ''
    if (argument === '-r' || argument === '--require') preloads.push(args[++at] ?? '')
    else if (argument.startsWith('--')) {
      const [name = '', ...value] = argument.slice(2).split('=')
      switches.set(name, value.join('='))
    } else app ??= argument
  }
  if (!app) throw new Error('electron stand-in: no app was given')
  const located = locate(resolve(app))
  return { app, ...located, packaged: basename(located.root) === 'app.asar', switches, preloads }
}

function locate(path: string): Pick<BootContext, 'root' | 'entry' | 'manifest'> {
  if (statSync(path).isDirectory()) {
    const manifest = readManifest(path)
    return { root: path, entry: join(path, manifest.main ?? 'index.js'), manifest }
  }
  let root = dirname(path)
  while (!existsSync(join(root, 'package.json')) && dirname(root) !== root) root = dirname(root)
  return { root, entry: path, manifest: readManifest(root) }
}

function readManifest(folder: string): Manifest {
  const file = join(folder, 'package.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : {}
}

let current: BootContext | null = null

export function setBootContext(context: BootContext): void {
  current = context
}

/** Set before the module `electron` is first imported. */
export function bootContext(): BootContext {
  if (!current) throw new Error('electron stand-in: imported outside of its own boot')
  return current
}
