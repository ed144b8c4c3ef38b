import { glob, readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { BoundConnector } from '../../contract/executor-protocol.ts'
import { nearest } from '../../language/nearest.ts'
import { EngineError, codeOf, listNames, messageOf } from '../engine/errors.ts'
import { configOf } from './config.ts'

/** A file connector's folder, with symbolic links resolved: nothing outside of it is reached. */
export async function folderOf(connector: BoundConnector): Promise<string> {
  const { root } = configOf(connector, 'file')
  try {
    const folder = await realpath(root)
    if ((await stat(folder)).isDirectory()) return folder
  } catch (error) {
    throw new EngineError(
      'FOLDER_NOT_FOUND',
      codeOf(error) === 'ENOENT'
        ? `The folder of connector \`${connector.name}\` does not exist: ${root}`
        : `The folder of connector \`${connector.name}\` cannot be opened: ${messageOf(error)}`,
      { hint: 'Make the folder on the executor’s machine, or mend the connector’s settings.', cause: error },
    )
  }
  throw new EngineError('FOLDER_NOT_FOUND', `The folder of connector \`${connector.name}\` is a file: ${root}`, {
    hint: 'Name the folder that the file lies in.',
  })
}

export function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

function outside(path: string, connector: BoundConnector): EngineError {
  return new EngineError(
    'PATH_OUTSIDE_FOLDER',
    `\`${path}\` leads out of the folder of connector \`${connector.name}\``,
    {
      hint: 'Paths are relative to the connector’s folder and stay below it; also symbolic links must.',
    },
  )
}

function refuseEscapes(path: string, connector: BoundConnector): void {
  if (isAbsolute(path) || /^[a-z]+:/i.test(path) || path.includes('\0') || path.split(/[\\/]/).includes('..')) {
    throw outside(path, connector)
  }
}

/** The files that a pattern names, sorted by path; each one checked to lie below the folder, links followed. */
export async function matchFiles(folder: string, pattern: string, connector: BoundConnector): Promise<string[]> {
  refuseEscapes(pattern, connector)
  const found: string[] = []
  for await (const entry of glob(pattern, { cwd: folder, withFileTypes: false })) {
    const path = join(folder, entry)
    const real = await realpath(path)
    if (!isBelow(folder, real)) throw outside(entry, connector)
    if ((await stat(real)).isFile() && !basename(path).startsWith('.')) found.push(real)
  }
  if (found.length > 0) return [...new Set(found)].toSorted((a, b) => (a < b ? -1 : 1))
  throw await nothingFound(folder, pattern, connector)
}

async function nothingFound(folder: string, pattern: string, connector: BoundConnector): Promise<EngineError> {
  const beside = await readdir(join(folder, dirname(pattern))).catch(() => [])
  const near = nearest(basename(pattern), beside)
  const hint =
    near !== null
      ? `Did you mean \`${near}\`?`
      : beside.length > 0
        ? `The folder holds ${listNames(beside.toSorted((a, b) => a.localeCompare(b)))}.`
        : 'Check the pattern; it is relative to the connector’s folder.'
  return new EngineError(
    'FILE_NOT_FOUND',
    `No file matches \`${pattern}\` in ${folder} (connector \`${connector.name}\`)`,
    { hint },
  )
}

/** One file by its path, which is no pattern. */
export async function fileToRead(folder: string, path: string, connector: BoundConnector): Promise<string> {
  refuseEscapes(path, connector)
  const real = await realpath(resolve(folder, path)).catch(() => null)
  if (real === null) throw await nothingFound(folder, path, connector)
  if (!isBelow(folder, real)) throw outside(path, connector)
  if ((await stat(real)).isFile()) return real
  throw new EngineError('FILE_NOT_FOUND', `\`${path}\` is a folder (connector \`${connector.name}\`)`, {
    hint: 'Name a file in it.',
  })
}

/** Where a file is to be written: the folders on the way are made, and links among them are followed and checked. */
export async function fileToWrite(folder: string, path: string, connector: BoundConnector): Promise<string> {
  refuseEscapes(path, connector)
  const whole = resolve(folder, path)
  if (!isBelow(folder, whole) || whole === folder) throw outside(path, connector)
  let existing = dirname(whole)
  for (;;) {
    const real = await realpath(existing).catch(() => null)
    if (real !== null) {
      if (!isBelow(folder, real)) throw outside(path, connector)
      break
    }
    existing = dirname(existing)
  }
  const real = await realpath(whole).catch(() => null)
  if (real !== null && !isBelow(folder, real)) throw outside(path, connector)
  return real ?? whole
}
