import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../../platform/data-folder.ts'
import { newestFirst } from '../../platform/file-page.ts'

export interface UploadFile {
  name: string
  path: string
  bytes: number
  created_at: string
}

/** The visible files of the folder, newest first: no folders, no links. A folder that is not there yet has none. */
export const uploadFiles = (folder: string): UploadFile[] =>
  namesIn(folder)
    .flatMap((name) => fileAt(folder, name) ?? [])
    .toSorted(newestFirst)

/** Only what the folder itself lists has a name here, so none leads out of it. */
export const findUpload = (folder: string, name: string): UploadFile | undefined =>
  namesIn(folder).includes(name) ? fileAt(folder, name) : undefined

export function fileAt(folder: string, name: string): UploadFile | undefined {
  const path = join(folder, name)
  const file = lstatSync(path, { throwIfNoEntry: false })
  return file?.isFile() ? { name, path, bytes: file.size, created_at: file.mtime.toISOString() } : undefined
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => !name.startsWith('.'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}
