import { realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, resolve } from 'node:path'
import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import { nearest } from '../../../language/nearest.ts'
import { isBelow } from '../../../process/own-places.ts'
import { EngineError, fewNames, codeOf, messageOf } from '../../engine/errors.ts'
import { refuseProtected } from '../../engine/protected.ts'
import { configOf } from '../config.ts'
import { filePattern } from './glob.ts'
import type { FileStore, StoredFile } from './store.types.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** A file connector's folder, with symbolic links resolved: nothing outside of it is reached. */
export async function folderOf(connector: BoundConnector): Promise<string> {
  const { root } = configOf(connector, 'file')
  refuseProtected(root, connector.name)
  try {
    const folder = await realpath(root)
    if ((await stat(folder)).isDirectory()) return folder
  } catch (error) {
    throw new EngineError(
      'FOLDER_NOT_FOUND',
      codeOf(error) === 'ENOENT'
        ? runMessage('folder_missing', { connector: connector.name, root })
        : runMessage('folder_unopenable', { connector: connector.name, cause: messageOf(error) }),
      { hint: runMessage('folder_missing_fix'), cause: error },
    )
  }
  throw new EngineError('FOLDER_NOT_FOUND', runMessage('folder_is_file', { connector: connector.name, root }), {
    hint: runMessage('folder_is_file_on_server_fix'),
  })
}

export function outside(path: string, connector: BoundConnector): EngineError {
  return new EngineError('PATH_OUTSIDE_FOLDER', runMessage('path_leads_out', { path, connector: connector.name }), {
    hint: runMessage('path_leads_out_fix'),
  })
}

export function refuseEscapes(path: string, connector: BoundConnector): void {
  if (isAbsolute(path) || /^[a-z]+:/i.test(path) || path.includes('\0') || path.split(/[\\/{},]/).includes('..')) {
    throw outside(path, connector)
  }
}

/** The files that a pattern names, sorted by path. */
export async function listFiles(store: FileStore, text: string): Promise<StoredFile[]> {
  refuseEscapes(text, store.connector)
  const found: StoredFile[] = []
  for await (const file of store.list(filePattern(text))) {
    found.push(file)
    if (found.length > mostFiles) throw tooManyFiles(store, text)
  }
  return found.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

/** More are more than a run can keep in view. */
const mostFiles = 100_000

function tooManyFiles(store: FileStore, text: string): EngineError {
  return new EngineError(
    'TASK_INVALID',
    runMessage('too_many_files', { most: mostFiles, text, place: store.place, connector: store.connector.name }),
    { hint: runMessage('too_many_files_fix') },
  )
}

export async function nothingFound(store: FileStore, text: string): Promise<EngineError> {
  const at = text.lastIndexOf('/')
  const folder = text.slice(0, Math.max(0, at))
  const beside = /[*?[\]{}]/.test(folder) ? [] : await store.namesIn(folder)
  const near = nearest(text.slice(at + 1), beside)
  const hint =
    near !== null
      ? runMessage('nearest_name_is', { near })
      : beside.length > 0
        ? runMessage('folder_contains', { value: fewNames(beside.toSorted((a, b) => a.localeCompare(b))) })
        : runMessage('check_pattern')
  return new EngineError(
    'FILE_NOT_FOUND',
    runMessage('no_file_matches', { text, place: store.place, connector: store.connector.name }),
    { hint },
  )
}

/** One file by its path, which is no pattern. */
export async function fileToRead(store: FileStore, path: string): Promise<StoredFile> {
  refuseEscapes(path, store.connector)
  const found = await store.find(path)
  if (found === null) throw await nothingFound(store, path)
  return found
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
  refuseProtected(real ?? whole, connector.name)
  return real ?? whole
}
