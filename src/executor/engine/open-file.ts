import { type FileHandle, open, readlink } from 'node:fs/promises'
import { EngineError, codeOf, messageOf } from './errors.ts'

/**
 * Opens a file by its real path, which was checked before. If a folder on the way has become a link since then, the system opens another
 * file: Linux tells which one it was. Throws FILE_CHANGED.
 */
export async function openChecked(path: string): Promise<FileHandle> {
  const handle = await open(path, 'r').catch((error: unknown) => {
    const code = codeOf(error)
    throw code === 'ENOENT' || code === 'ENOTDIR' ? fileMoved(path, error) : unreadable(path, error)
  })
  if (process.platform !== 'linux') return handle
  const opened = await readlink(`/proc/self/fd/${handle.fd}`)
  if (opened === path) return handle
  await handle.close()
  throw fileMoved(path)
}

/** A file, or a folder on its path, isn't what it was when it was checked. */
export function fileMoved(path: string, cause?: unknown): EngineError {
  return new EngineError('FILE_CHANGED', `${path} was moved, removed, or replaced while it was being opened`, {
    hint: 'Nothing was written. Run again when no program moves files or folders there.',
    cause,
  })
}

function unreadable(path: string, cause: unknown): EngineError {
  return new EngineError('FILE_UNREADABLE', `${path} can’t be opened: ${messageOf(cause)}`, {
    hint: 'Give the user that Headgate runs as the right to read it.',
    cause,
  })
}

/** Bytes of the file at `path`. Throws FILE_CHANGED. */
export async function sizeOf(path: string): Promise<number> {
  const handle = await openChecked(path)
  try {
    return (await handle.stat()).size
  } finally {
    await handle.close()
  }
}
