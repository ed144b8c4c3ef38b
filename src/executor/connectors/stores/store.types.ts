import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import type { LogLevel } from '../../../contract/runs.ts'
import type { FilePattern } from './glob.ts'

/** A file of a store: a folder, a bucket, a server. */
export interface StoredFile {
  /** Below the store's root, `/` between folders. */
  path: string
  size: number
  /** Another one where the content has changed: the time, or what the store calls it by. */
  version: string
  /** ISO 8601 in UTC; null where the store does not say. */
  modified_at: string | null
}

export interface StoreIo {
  signal: AbortSignal
  tempDir: string
  log(level: LogLevel, message: string): void
}

export interface ListOptions {
  /** Leaves out folders that may not be read and links that lead out, for who only looks around. Else they are errors. */
  lenient?: boolean
}

/** Files below one root, wherever they are kept. Paths never lead out of it. Close it. */
export interface FileStore {
  readonly connector: BoundConnector
  /** For messages: what the paths are below. */
  readonly place: string
  /** What matches, in any order; hidden files are left out. */
  list(pattern: FilePattern, options?: ListOptions): AsyncGenerator<StoredFile>
  find(path: string): Promise<StoredFile | null>
  /** Names in a folder, as far as they help who has mistaken one. */
  namesIn(folder: string): Promise<string[]>
  /** Files where this machine has them at hand. `most`: the first so many bytes of each are enough, where they are fetched. */
  open(files: readonly StoredFile[], most: number | null): Promise<OpenedFile[]>
  /** Begins to write a file that takes its place all at once. */
  write(path: string): Promise<FileWrite>
  close(): Promise<void>
}

export interface OpenedFile {
  /** As it was when it was fetched. */
  file: StoredFile
  /** Absolute path on this machine. */
  local: string
  /** The end is missing. */
  cut: boolean
  /** Throws where `local` is no longer what was listed. Copies of files from other machines are ours and do not change. */
  verify(): Promise<void>
}

export interface FileWrite {
  /** Where the content is to be put on this machine. */
  readonly local: string
  /** Puts it into its place. */
  commit(): Promise<void>
  /** Leaves nothing behind; after `commit`, too. */
  discard(): Promise<void>
}
