/** Files on their way in: from a drop, a dialog or a double click, until somebody has said what becomes of them. */
import { useSyncExternalStore } from 'react'
import type { OpenedFile } from '../../../contract/desktop-bridge.ts'
import { desktopBridge } from '../../desktop-bridge.ts'

export interface IncomingFile {
  readonly name: string
  readonly size: number
  /** On this machine; null in a browser, which does not tell. */
  readonly path: string | null
  readonly isFolder: boolean
  /** Of a browser: the file itself, which it reads as it is sent. */
  readonly blob: Blob | null
  /** Rejects with a sentence where the file has gone or may not be read. */
  read(start: number, end: number): Promise<Uint8Array>
}

/** What the desktop reads at once. */
const sliceBytes = 8 * 1024 * 1024

/** A file of the page: dropped, or chosen in the browser's dialog. */
export function ofFile(file: File, isFolder = false): IncomingFile {
  return {
    name: file.name,
    size: file.size,
    path: desktopBridge()?.pathOfFile(file) || null,
    isFolder,
    blob: file,
    read: async (start, end) => new Uint8Array(await file.slice(start, end).arrayBuffer()),
  }
}

/** A file that main has opened; it is read in slices. */
export function ofOpened(file: OpenedFile): IncomingFile {
  const read = async (start: number, end: number) => {
    const bridge = desktopBridge()
    // Main lets a page read what it knows by its name; of others the page says what works.
    if (!bridge || file.token === '') return new Uint8Array([0])
    const whole = new Uint8Array(Math.max(0, Math.min(end, file.size) - start))
    for (let at = 0; at < whole.length;) {
      // One slice after the other: main's memory stays flat.
      const slice = await bridge.readOpenedFile(
        file.token,
        start + at,
        Math.min(start + at + sliceBytes, file.size, end),
      )
      if (slice.length === 0) break
      whole.set(slice, at)
      at += slice.length
    }
    return whole
  }
  return { name: file.name, size: file.size, path: file.path, isFolder: false, blob: null, read }
}

/** The whole file for whoever takes one; the browser keeps large ones on the disk. */
export async function wholeFile(file: IncomingFile): Promise<File> {
  const parts: Blob[] = []
  for (let at = 0; at < file.size; at += sliceBytes) {
    // A copy, whose buffer is a plain one: as a Blob takes it.
    parts.push(new Blob([new Uint8Array(await file.read(at, Math.min(file.size, at + sliceBytes)))]))
  }
  return new File(parts, file.name)
}

/** Files that hang over the window: the types that the browser tells, as far as it does. */
export interface Drag {
  types: readonly string[]
}

let batch: readonly IncomingFile[] = []
let drag: Drag | null = null
const listeners = new Set<() => void>()

function notify(): void {
  for (const listener of listeners) listener()
}

/** What came last goes before what waits: nobody drops a file to see the one before. */
export function receiveFiles(files: readonly IncomingFile[]): void {
  if (files.length === 0) return
  batch = files
  notify()
}

/** The system tells of files one by one, also of those that somebody has marked and opened together. */
const togetherMs = 150
let arriving: IncomingFile[] = []

/** A file that the system has opened: with those that come right after it. */
export function receiveOpened(file: IncomingFile): void {
  arriving.push(file)
  if (arriving.length > 1) return
  setTimeout(() => {
    const together = arriving
    arriving = []
    receiveFiles(together)
  }, togetherMs)
}

/** With a file: only if it is still the one that is dealt with. */
export function putAside(file?: IncomingFile): void {
  if (file && !batch.includes(file)) return
  batch = []
  notify()
}

export function setDrag(next: Drag | null): void {
  if (next === drag) return
  drag = next
  notify()
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useIncoming = (): readonly IncomingFile[] => useSyncExternalStore(listen, () => batch)
export const useDrag = (): Drag | null => useSyncExternalStore(listen, () => drag)
