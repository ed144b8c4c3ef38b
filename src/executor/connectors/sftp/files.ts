import { Readable } from 'node:stream'
import { FileChanged } from '../stores/fetch.ts'
import { isoTime, type Tree, type TreeEntry, type TreeFacts } from '../stores/tree.ts'
import type { Session, SftpConnection } from './client.ts'
import { isMissing } from './errors.ts'
import { runMessage } from '../../../contract/run-messages.ts'
import type { Message } from '../../../language/message.ts'

type Stats = Parameters<NonNullable<Parameters<Session['stat']>[1]>>[1]
type Listed = Parameters<NonNullable<Parameters<Session['readdir']>[1]>>[1]

/** A server's folder. `connection` signs in where that is not so any more; `failed` says what went wrong. */
export interface SftpFolder extends Tree {
  real(path: string): Promise<string | null>
}

export function sftpFolder(
  root: string,
  connection: () => Promise<SftpConnection>,
  failed: (error: unknown, what: Message) => Error,
  outside: (path: string) => Error,
): SftpFolder {
  const absolute = (path: string): string => (path === '' ? root : `${root.replace(/\/$/, '')}/${path}`)
  /** null: nothing is there. */
  async function orMissing<T>(
    path: string,
    action: 'reading_path' | 'listing_path',
    work: (server: SftpConnection) => Promise<T>,
  ): Promise<T | null> {
    try {
      return await work(await connection())
    } catch (error) {
      if (isMissing(error)) return null
      throw failed(error, runMessage(action, { path: absolute(path) }))
    }
  }
  const real = (path: string): Promise<string | null> =>
    orMissing(path, 'reading_path', (server) =>
      server.ask<string>((session, done) => session.realpath(absolute(path), done)),
    )
  /** The driver puts U+FFFD for bytes that are not UTF-8. Where that is a part of the name, the server knows it. */
  const isNamed = async (path: string): Promise<boolean> =>
    !path.includes('\ufffd') ||
    (await orMissing(path, 'reading_path', (server) =>
      server.ask<Stats>((session, done) => session.lstat(absolute(path), done)),
    )) !== null
  return {
    absolute,
    real,
    async entries(path) {
      const listed = await orMissing(path, 'listing_path', (server) =>
        server.ask<Listed>((session, done) => session.readdir(absolute(path), done)),
      )
      if (listed === null) return null
      const entries: TreeEntry[] = []
      for (const { filename, attrs } of listed) {
        if (filename === '.' || filename === '..') continue
        const facts = factsOf(attrs)
        const entry: TreeEntry = attrs.isSymbolicLink()
          ? { name: filename, kind: 'link' }
          : { name: filename, kind: facts.kind, facts }
        entries.push((await isNamed(path === '' ? filename : `${path}/${filename}`)) ? entry : unnamed(entry))
      }
      return entries
    },
    async facts(path) {
      const stats = await orMissing(path, 'reading_path', (server) =>
        server.ask<Stats>((session, done) => session.stat(absolute(path), done)),
      )
      return stats && factsOf(stats)
    },
    async inside(path) {
      const found = await real(path)
      return found !== null && (found === root || found.startsWith(root.endsWith('/') ? root : `${root}/`))
    },
    outside,
  }
}

const unnamed = (entry: TreeEntry): TreeEntry => ({
  ...entry,
  escaped: entry.name.replaceAll('\ufffd', String.raw`\ufffd`),
})

function factsOf(stats: Stats): TreeFacts {
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other'
  return { kind, size: stats.size, version: String(stats.mtime), modified_at: isoTime(stats.mtime * 1000) }
}

const blockBytes = 32_768
const blocksAhead = 48

/** The content, several blocks asked for at once: servers far away would else be waited for at every one. */
export function readBlocks(server: SftpConnection, path: string, from: number, end: number): Readable {
  return Readable.from(blocks(server, path, from, end), { objectMode: false, highWaterMark: blockBytes * 8 })
}

async function* blocks(server: SftpConnection, path: string, from: number, end: number): AsyncGenerator<Buffer> {
  const handle = await server.ask<Buffer>((session, done) => session.open(path, 'r', done))
  const asked: { at: number; answer: Promise<Buffer> }[] = []
  let next = from
  try {
    for (;;) {
      while (asked.length < blocksAhead && next < end) {
        const length = Math.min(blockBytes, end - next)
        const answer = readBlock(server, handle, next, length)
        answer.catch(() => undefined) // heard when its turn comes
        asked.push({ at: next, answer })
        next += length
      }
      const first = asked.shift()
      if (!first) return
      const block = await first.answer
      if (block.length > 0) yield block
      if (block.length < Math.min(blockBytes, end - first.at)) throw new FileChanged() // it has become shorter
    }
  } finally {
    if (server.open) server.ask((session, done) => session.close(handle, done)).catch(() => undefined) // the connection's end closes it, too
  }
}

/** Servers may answer with less than was asked for. */
async function readBlock(server: SftpConnection, handle: Buffer, at: number, length: number): Promise<Buffer> {
  const block = Buffer.alloc(length)
  let done = 0
  while (done < length) {
    const got = await server.ask<number>((session, answer) =>
      session.read(handle, block, done, length - done, at + done, (error, bytes) =>
        isEnd(error) ? answer(null, 0) : answer(error, bytes),
      ),
    )
    if (got === 0) break
    done += got
  }
  return block.subarray(0, done)
}

function isEnd(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 1
}
