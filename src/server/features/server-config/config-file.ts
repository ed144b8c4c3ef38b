/** config.yaml on disk: read as it is at the moment, written as a whole. */
import type { Message } from '../../../contract/messages.ts'
import { msg } from '../../../contract/messages.ts'
import { createHash } from 'node:crypto'
import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { CONFIG_FILE } from '../../platform/config.ts'
import type { Settings } from '../../platform/config.settings.ts'
import { codeOf } from '../../platform/data-folder.ts'
import { writeDurably } from '../../platform/durable-file.ts'
import { Refusal, unavailable } from '../../platform/refusal.ts'

export interface FileNow {
  /** null: there is none. */
  bytes: Buffer | null
  text: string
}

export function createConfigFile(dataDir: string) {
  const path = join(dataDir, CONFIG_FILE)
  return {
    path,
    read(): FileNow {
      try {
        const bytes = readFileSync(path)
        return { bytes, text: bytes.toString('utf8') }
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return { bytes: null, text: '' }
        throw new Refusal('UNAVAILABLE', msg('config_unreadable', { path, reason: codeOf(error) || String(error) }))
      }
    },
    /** The owner may have put a link there: then what it leads to is written. */
    write(text: string): void {
      try {
        writeDurably(linked(path), text)
      } catch (error) {
        unavailable(msg('config_unwritable', { path, reason: codeOf(error) || String(error) }))
      }
    },
    digest: ({ bytes }: FileNow): string =>
      createHash('sha256')
        .update(bytes ?? 'none')
        .digest('hex'),
  }
}

function linked(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // Not there yet, or a link to nothing: it is made here.
    return path
  }
}

export interface ParsedFile {
  values: Partial<Settings>
  mistake: { what: Message; line: number; column: number } | null
}

/** Loaded only where there is such a file: most data folders have none. */
export async function parseConfig(text: string, path: string): Promise<ParsedFile> {
  if (text === '') return { values: {}, mistake: null }
  const { ConfigFileMistake, parseConfigFile } = await import('../../platform/config.file.ts')
  try {
    return { values: parseConfigFile(text, path).values, mistake: null }
  } catch (error) {
    if (!(error instanceof ConfigFileMistake)) throw error
    const { what, line, column } = error
    return { values: {}, mistake: { what, line, column } }
  }
}
