import { type FileKind, type Refusal, fileKindOf } from './file-kind.rules.ts'
import type { IncomingFile } from './incoming.store.ts'

/** So much of a file is looked at: enough for fifty lines of most, little enough to be there at once. */
const headBytes = 256 * 1024

export interface Sniffed {
  /** Of this look at it. */
  id: string
  file: IncomingFile
  kind: FileKind
  head: Uint8Array
  /** Why the file could not be read. */
  problem: string | null
}

/** Why a file is not opened: what it is, or what its user may not. */
export type Why =
  | Refusal
  | 'no-import'
  | 'no-task'
  | 'no-job-template'
  | 'no-dashboard-template'
  | 'no-preview'
  | 'long-text'
  | 'long-bundle'
  | 'failed'

/** What comes of a file: it is open, something is to be said or asked, or its rows are to be looked at. */
export type Opening =
  | { step: 'done' }
  | { step: 'data' }
  | { step: 'refused'; why: Why; detail?: string }
  | { step: 'ask'; record: string; proceed: () => void }

export async function sniff(file: IncomingFile): Promise<Sniffed> {
  const id = crypto.randomUUID()
  const none = new Uint8Array()
  const refused = (why: Refusal, problem: string | null = null): Sniffed => ({
    id,
    file,
    kind: { kind: 'unknown', why },
    head: none,
    problem,
  })
  if (file.isFolder) return refused('folder')
  try {
    const head = await file.read(0, Math.min(file.size, headBytes))
    return { id, file, kind: fileKindOf(file.name, file.size, head), head, problem: null }
  } catch (error) {
    return refused('gone', error instanceof Error ? error.message : String(error))
  }
}
