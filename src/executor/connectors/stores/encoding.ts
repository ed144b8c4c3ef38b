import { open } from 'node:fs/promises'
import { runMessage } from '../../../contract/run-messages.ts'
import type { FilesSource } from '../../../language/task/sources/source.types.ts'
import { EngineError } from '../../engine/errors.ts'
import type { OpenedFile } from './store.types.ts'
import { formatOfPath } from '../../../language/task/file-paths.ts'

/** How files are read of which only the names are known: those that begin with the mark of UTF-16 are in it. */
export async function withEncoding(source: FilesSource, files: readonly OpenedFile[]): Promise<FilesSource> {
  if (source.format !== 'csv' && source.format !== 'json' && source.format !== 'jsonl') return source
  const marked: string[] = []
  for (const { file, local } of files)
    if (formatOfPath(file.path).compression === 'none' && (await isUtf16(local))) marked.push(file.path)
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

async function isUtf16(path: string): Promise<boolean> {
  const handle = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0)
    const mark = buffer.readUInt16BE(0)
    return bytesRead === 2 && (mark === 0xfffe || mark === 0xfeff)
  } finally {
    await handle.close()
  }
}
