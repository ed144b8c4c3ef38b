import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** In the data folder rather than in the store: it survives a restore, and the command line reads it without opening the store. */
export const backupFoldersFile = (dataDir: string): string => join(dataDir, 'backup-folders.json')

/** Every folder outside the data folder that was ever used for backups. Old backups stay there when the setting changes. */
export function usedBackupFolders(dataDir: string): string[] {
  const file = backupFoldersFile(dataDir)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return []
    throw error
  }
  const folders = parsed(text)
  if (Array.isArray(folders) && folders.every((folder) => typeof folder === 'string')) return folders
  throw new Error(
    `${file} is not a JSON list of folders: correct it, or remove it if all backups are in the current folder`,
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
