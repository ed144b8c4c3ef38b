/** Files that become references. Pure but for the reading. */
import { MAX_REFERENCE_BYTES, type ReferenceKind } from '../../../contract/ai-references.ts'

export interface ReadReference {
  title: string
  kind: ReferenceKind
  content: string
}
export type Unreadable = 'tooLarge' | 'notText' | 'empty'

const kinds: Readonly<Record<string, ReferenceKind>> = {
  md: 'markdown',
  markdown: 'markdown',
  sql: 'schema',
  ddl: 'schema',
  json: 'schema',
  yaml: 'schema',
  yml: 'schema',
  csv: 'schema',
  tsv: 'schema',
}
/** Of tables in text only the header is of interest; their rows are data. */
const headerBytes = 64 * 1024

/** The text of a file, or why it is none. */
export async function readReference(file: File): Promise<ReadReference | Unreadable> {
  const [, base = file.name, end = ''] = /^(.+)\.([^.]+)$/.exec(file.name) ?? []
  const extension = end.toLowerCase()
  const isTable = extension === 'csv' || extension === 'tsv'
  if (!isTable && file.size > MAX_REFERENCE_BYTES) return 'tooLarge'
  const text = decode(new Uint8Array(await (isTable ? file.slice(0, headerBytes) : file).arrayBuffer()), isTable)
  if (text === undefined || text.includes('\0')) return 'notText'
  const content = isTable ? (text.split(/[\r\n]/, 1)[0] ?? '') : text
  if (content.trim() === '') return 'empty'
  return { title: base.trim().slice(0, 200), kind: kinds[extension] ?? 'text', content }
}

/** undefined: not UTF-8. Where only the start was read, its last character may be cut. */
function decode(bytes: Uint8Array, isStart: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isStart })
  } catch {
    return undefined
  }
}
