import { open } from 'node:fs/promises'
import { runMessage } from '../../../contract/run-messages.ts'
import type { FilesSource } from '../../../language/task/sources/source.types.ts'
import { EngineError } from '../../engine/errors.ts'
import type { OpenedFile } from './store.types.ts'
import { formatOfPath } from '../../../language/task/file-paths.ts'

/** How files are read of which only the names are known: those that begin with the mark of UTF-16 are in it. Without the mark nothing is guessed. */
export async function withEncoding(source: FilesSource, files: readonly OpenedFile[]): Promise<FilesSource> {
  if (source.format !== 'csv' && source.format !== 'json' && source.format !== 'jsonl') return source
  const marked: string[] = []
  for (const { file, local } of files) {
    if (formatOfPath(file.path).compression !== 'none') continue
    const begin = await beginOf(local)
    if (isMarked(begin)) marked.push(file.path)
    else if (source.csv && looksWide(begin))
      throw new EngineError('FILE_UNREADABLE', runMessage('csv_looks_utf16', { file: file.path }), {
        hint: runMessage('csv_looks_utf16_fix', {
          named: `'${file.path}#${looksWide(begin) === 'big' ? 'utf-16be' : 'utf-16'}'`,
        }),
      })
  }
  const [first] = marked
  if (first === undefined) return source
  const { csv } = source
  if (csv && marked.length === files.length) return { ...source, csv: { ...csv, encoding: 'utf-16' } }
  throw csv
    ? new EngineError('FILE_UNREADABLE', runMessage('files_of_encodings', { file: first }), {
        hint: runMessage('files_of_encodings_fix'),
      })
    : new EngineError('FILE_UNREADABLE', runMessage('file_in_utf16', { file: first }), {
        hint: runMessage('file_in_utf16_fix'),
      })
}

const beginBytes = 1024

async function beginOf(path: string): Promise<Buffer> {
  const handle = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(beginBytes), 0, beginBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

function isMarked(begin: Buffer): boolean {
  const mark = begin.length < 2 ? 0 : begin.readUInt16BE(0)
  return mark === 0xfffe || mark === 0xfeff
}

/** UTF-16 of mostly ASCII, as the names of columns are: every other byte is 0. Text in other encodings has none. */
function looksWide(begin: Buffer): 'little' | 'big' | null {
  const zeros = [0, 0]
  for (const [at, byte] of begin.entries()) if (byte === 0) zeros[at % 2]! += 1
  const [even = 0, odd = 0] = zeros
  const most = begin.length / 4
  return odd > most && even === 0 ? 'little' : even > most && odd === 0 ? 'big' : null
}
