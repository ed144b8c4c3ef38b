// The app as electron-builder lays it out, made once and kept as long as the build that it was made of.
import { extractAll, getRawHeader, type statFile } from '@electron/asar'
import { Arch, build, Platform } from 'electron-builder'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { packageConfig } from '../../tools/package/config.ts'
import { layOutElectron, type System } from './electron-distribution.ts'

export const root = resolve(import.meta.dirname, '../..')
/** Another build than `out`, for work beside others. */
export const built = process.env.HEADGATE_OUT ?? process.env.HEADGATE_TEST_OUT ?? 'out'

export interface PackedApp {
  /** What would be installed. */
  folder: string
  executable: string
  archive: string
  /** The Debian package of it. */
  deb: string
  /** The app for other systems without its packages, whose native parts are of one system: theirs are made on them. */
  mac: string
  windows: string
}

/** Takes some twenty seconds when it is not there yet. */
export async function packedApp(): Promise<PackedApp> {
  const work = join(root, 'test-results', `packed-${built}`)
  const folder = join(work, 'linux-unpacked')
  const app = {
    folder,
    executable: join(folder, 'headgate'),
    archive: join(folder, 'resources/app.asar'),
    deb: join(work, 'headgate.deb'),
    mac: join(work, 'mac/Headgate.app/Contents'),
    windows: join(work, 'win-unpacked'),
  }
  const stamp = join(work, 'made-of')
  const want = fingerprint()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === want) return app
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  process.env.CUSTOM_FPM_PATH = join(import.meta.dirname, 'fpm')
  chmodSync(process.env.CUSTOM_FPM_PATH, 0o755)
  const systems = { linux: '', darwin: '', win32: '' }
  for (const system of ['linux', 'darwin', 'win32'] as const)
    systems[system] = layOutElectron(system, join(work, 'electron', system))
  const config = packageConfig({
    built,
    output: relative(root, work),
    electron: (system) => systems[system as System],
  })
  await build({
    projectDir: root,
    targets: Platform.LINUX.createTarget('deb', Arch.x64),
    publish: 'never',
    config: { ...config, deb: { ...config.deb, artifactName: 'headgate.deb' } },
  })
  await build({
    projectDir: root,
    targets: new Map([
      ...Platform.MAC.createTarget('dir', Arch.x64),
      ...Platform.WINDOWS.createTarget('dir', Arch.x64),
    ]),
    publish: 'never',
    // What is read of these is what stands around the archive: its content is the one above.
    config: {
      ...config,
      files: ['package.json', { from: built, to: 'out', filter: 'main/*.js' }, '!**/node_modules/**'],
    },
  })
  writeFileSync(stamp, want)
  return app
}

function fingerprint(): string {
  const hash = createHash('sha256')
  const folders = [built, 'tools/package', 'test/package', 'resources']
  for (const folder of folders) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const path = join(entry.parentPath, entry.name)
      const { mtimeMs, size } = statSync(path)
      hash.update(`${path} ${mtimeMs} ${size}\n`)
    }
  }
  return hash.update(readFileSync(join(root, 'package.json'))).digest('hex')
}

export interface ArchivedFile {
  path: string
  /** Lies beside the archive. */
  unpacked: boolean
  size: number
  /** Of its content, SHA-256. */
  hash: string | undefined
}

export function filesIn(archive: string): ArchivedFile[] {
  const files: ArchivedFile[] = []
  const visit = (entry: ReturnType<typeof statFile>, path: string): void => {
    if ('files' in entry) {
      for (const [name, one] of Object.entries(entry.files)) visit(one, path ? `${path}/${name}` : name)
    } else if ('size' in entry) {
      files.push({ path, unpacked: entry.unpacked, size: entry.size, hash: entry.integrity?.hash })
    }
  }
  visit(getRawHeader(archive).header, '')
  return files
}

/**
 * Lays the archive out as a folder of the archive's name, for a program that cannot read archives: what is packed as files, what
 * is unpacked as links to where it lies. Returns that folder.
 */
export function layOutArchive({ folder, archive }: PackedApp, target: string): string {
  const app = join(target, 'resources/app.asar')
  mkdirSync(join(target, 'resources'), { recursive: true })
  extractAll(archive, app)
  for (const { path, unpacked } of filesIn(archive)) {
    if (!unpacked) continue
    rmSync(join(app, path))
    symlinkSync(join(`${archive}.unpacked`, path), join(app, path))
  }
  for (const name of ['app-update.yml', 'package-type']) {
    const file = join(folder, 'resources', name)
    if (existsSync(file)) copyFileSync(file, join(target, 'resources', name))
  }
  return app
}
