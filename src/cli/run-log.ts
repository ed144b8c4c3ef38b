import { createWriteStream, type WriteStream } from 'node:fs'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import type { RejectEntry } from '../contract/executor-protocol.ts'
import { InputError } from './output.ts'
import { runMessage } from '../contract/run-messages.ts'

/** `10:41:13.123 info   target: Appended 3 rows` */
export function logLine(level: string, message: string, step: string | null | undefined, now = new Date()): string {
  const place = step === null || step === undefined ? '' : `${step}: `
  return `${now.toISOString().slice(11, 23)} ${level.padEnd(5)} ${place}${message}`
}

/** Where rejected rows go: a file of JSON lines, or the first few of them into the log. */
export interface RejectSink {
  add(entries: readonly RejectEntry[]): Promise<void>
  end(): Promise<void>
}

const shownRejects = 10

export async function openRejects(path: string | undefined, print: (line: string) => void): Promise<RejectSink> {
  if (path === undefined) return printFirst(print)
  const file = createWriteStream(path)
  try {
    await once(file, 'open')
  } catch (error) {
    throw new InputError(`Can’t write ${path}: ${error instanceof Error ? error.message : String(error)}`)
  }
  return writeAll(file, path)
}

function writeAll(file: WriteStream, path: string): RejectSink {
  const ended = finished(file)
  ended.catch(() => undefined) // heard by `end`
  return {
    async add(entries) {
      const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
      try {
        if (!file.write(lines)) await Promise.race([once(file, 'drain'), ended])
      } catch (error) {
        // Loaded already: the engine has called us.
        const { EngineError, messageOf } = await import('../executor/engine/errors.ts')
        throw new EngineError(
          'FILE_UNWRITABLE',
          runMessage('rejects_file_unwritable', { path, cause: messageOf(error) }),
          {
            hint: runMessage('rejects_file_unwritable_fix'),
          },
        )
      }
    },
    async end() {
      file.end()
      await ended
    },
  }
}

function printFirst(print: (line: string) => void): RejectSink {
  let total = 0
  return {
    async add(entries) {
      for (const { step, reason, row } of entries.slice(0, Math.max(0, shownRejects - total)))
        print(logLine('warn', `rejected: ${reason}: ${JSON.stringify(row)}`, step))
      total += entries.length
    },
    async end() {
      if (total > shownRejects)
        print(`${total - shownRejects} more rows were rejected. Use --rejects FILE to save all of them.`)
    },
  }
}
