import { createReadStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import type { GetObjectCommandOutput, ListObjectsV2CommandOutput, _Object } from '@aws-sdk/client-s3'
import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import { EngineError } from '../../engine/errors.ts'
import { FileChanged, fetchFiles, type Remote } from '../stores/fetch.ts'
import { refuseEscapes } from '../stores/paths.ts'
import type { FileStore, FileWrite, StoreIo, StoredFile } from '../stores/store.types.ts'
import { loadUpload, openS3, type S3 } from './client.ts'
import { isDenied, isMissing, isPassing, s3Error, statusOf } from './errors.ts'
import { runMessage } from '../../../contract/run-messages.ts'
import type { Message } from '../../../language/message.ts'

/** Objects of a bucket below a prefix, as if it were a folder. */
export async function openS3Store(connector: BoundConnector, io: StoreIo): Promise<FileStore> {
  const s3 = await openS3(connector)
  const { sdk, client, bucket, prefix } = s3
  const place = `s3://${bucket}/${prefix}`.replace(/\/$/, '')
  const send = { abortSignal: io.signal }
  const failed = (error: unknown, what: Message): EngineError => s3Error(error, connector, what, io.signal)

  async function* pages(start: string, flat: boolean): AsyncGenerator<ListObjectsV2CommandOutput> {
    let token: string | undefined
    do {
      try {
        const page: ListObjectsV2CommandOutput = await client.send(
          new sdk.ListObjectsV2Command({
            Bucket: bucket,
            Prefix: prefix + start,
            EncodingType: 'url',
            ...(flat ? { Delimiter: '/' } : {}),
            ...(token === undefined ? {} : { ContinuationToken: token }),
          }),
          send,
        )
        yield page
        token = page.NextContinuationToken
        if (page.IsTruncated === true && token === undefined)
          throw new Error('the store says that there are more objects, but not how to ask for them')
      } catch (error) {
        throw failed(error, runMessage('listing_path', { path: place }))
      }
    } while (token !== undefined)
  }
  const sizeOf = (listed: number | undefined, path: string): number => {
    if (listed !== undefined) return listed
    throw new EngineError('FILE_UNREADABLE', runMessage('size_unknown', { place, path }), {
      hint: runMessage('size_unknown_fix'),
    })
  }
  const stored = ({ Key, Size, ETag, LastModified }: _Object): StoredFile => ({
    path: keyOf(Key ?? '').slice(prefix.length),
    size: sizeOf(Size, Key ?? ''),
    version: versionOf(ETag, LastModified),
    modified_at: LastModified?.toISOString() ?? null,
  })
  async function find(path: string): Promise<StoredFile | null> {
    try {
      const head = await client.send(new sdk.HeadObjectCommand({ Bucket: bucket, Key: prefix + path }), send)
      return {
        path,
        size: sizeOf(head.ContentLength, path),
        version: versionOf(head.ETag, head.LastModified),
        modified_at: head.LastModified?.toISOString() ?? null,
      }
    } catch (error) {
      if (isMissing(error)) return null
      // This kind of request is answered without words; another one says whether it is the keys that are wrong.
      if (isDenied(error)) await pages(path, true).next()
      throw failed(error, runMessage('reading_path', { path: `${place}/${path}` }))
    }
  }
  return {
    connector,
    place,
    async *list(pattern) {
      if (pattern.literal) {
        const found = await find(pattern.text)
        if (found) yield found
        return
      }
      for await (const page of pages(pattern.prefix, pattern.flat)) {
        for (const object of page.Contents ?? []) {
          const file = stored(object)
          if (!file.path.endsWith('/') && pattern.matches(file.path)) yield file
        }
      }
    },
    find,
    async namesIn(folder) {
      const start = folder === '' ? '' : `${folder}/`
      for await (const page of pages(start, true)) {
        const files = (page.Contents ?? []).map((object) => stored(object).path)
        const folders = (page.CommonPrefixes ?? []).map((common) => keyOf(common.Prefix ?? '').slice(prefix.length, -1))
        // The first page is enough to help.
        return [...files, ...folders].map((path) => path.slice(start.length)).filter((name) => name !== '')
      }
      return []
    },
    open: (files, most) => fetchFiles(remoteOf(s3, { place, find, io, failed }), files, io, most),
    write: (path) => writeObject(s3, path, { connector, place, io, failed }),
    close: async () => client.destroy(),
  }
}

interface Around {
  place: string
  io: StoreIo
  failed: (error: unknown, what: Message) => EngineError
}

/** Keys are listed in a form in which every character gets through. */
function keyOf(listed: string): string {
  try {
    return decodeURIComponent(listed.replaceAll('+', ' '))
  } catch (error) {
    throw new EngineError('FILE_UNREADABLE', runMessage('object_key_not_utf8', { listed }), {
      hint: runMessage('object_key_not_utf8_fix'),
      cause: error,
    })
  }
}

const byTime = 'time '

/** Its ETag; where a store gives none, the time of its last change. */
function versionOf(etag: string | undefined, changed: Date | undefined): string {
  return etag ? etag.replace(/^"|"$/g, '') : `${byTime}${changed?.toISOString() ?? 'unknown'}`
}

/** Whether an answer is of this version and of this part of it: not every store heeds what was asked for. */
function isPart(
  { ETag, LastModified, ContentLength, ContentRange }: GetObjectCommandOutput,
  file: StoredFile,
  { from, end }: { from: number; end: number },
): boolean {
  // From the beginning on, all of it will do for a part.
  const isWhole = from === 0 && ContentRange === undefined
  if (ContentLength !== undefined && ContentLength !== (isWhole ? file.size : end - from)) return false
  const range = ContentRange?.replace(/\/\*$/, `/${file.size}`)
  if (!isWhole && range !== `bytes ${from}-${end - 1}/${file.size}`) return false
  if (!file.version.startsWith(byTime)) return ETag === undefined || versionOf(ETag, undefined) === file.version
  // Lists tell times more finely than answers do.
  const seconds = (time: number): number => Math.floor(time / 1000)
  const listed = Date.parse(file.version.slice(byTime.length))
  return Number.isNaN(listed) || LastModified === undefined || seconds(LastModified.getTime()) === seconds(listed)
}

function remoteOf(
  { sdk, client, bucket, prefix }: S3,
  { place, find, io, failed }: Around & Pick<FileStore, 'find'>,
): Remote {
  /** What of a file came the first time, where it did not fit what the store calls it by. */
  const seen = new Map<string, string>()
  return {
    place,
    find,
    async read(file, from, end) {
      try {
        const answer = await client.send(
          new sdk.GetObjectCommand({
            Bucket: bucket,
            Key: prefix + file.path,
            ...(file.version.startsWith(byTime) ? {} : { IfMatch: `"${file.version}"` }),
            ...(from === 0 && end === file.size ? {} : { Range: `bytes=${from}-${end - 1}` }),
          }),
          { abortSignal: io.signal },
        )
        if (!(answer.Body instanceof Readable)) throw new Error('S3 gave no stream of bytes')
        if (isPart(answer, file, { from, end })) return answer.Body
        answer.Body.destroy()
        throw new FileChanged()
      } catch (error) {
        if (error instanceof FileChanged) throw error
        if (statusOf(error) === 412 || isMissing(error)) throw new FileChanged()
        throw error
      }
    },
    async verify(file, md5) {
      // An object put in one part is mostly called by its MD5; where it is encrypted it is not, and then the same bytes come twice.
      if (!/^[0-9a-f]{32}$/.test(file.version) || file.version === md5 || seen.get(file.path) === md5) return
      seen.set(file.path, md5)
      throw new FileChanged()
    },
    failure: (error, file) =>
      isPassing(error) ? null : failed(error, runMessage('reading_path', { path: `${place}/${file.path}` })),
    lost: (error, file) => failed(error, runMessage('reading_path', { path: `${place}/${file.path}` })),
  }
}

const partsAtOnce = 3
const smallestPart = 8 * 1024 * 1024
const mostParts = 9000
/** Uploads that were begun longer ago than this have no run behind them any more. */
const abandonedMs = 24 * 60 * 60 * 1000

async function writeObject(
  { sdk, client, bucket, prefix }: S3,
  path: string,
  { connector, place, io, failed }: Around & { connector: BoundConnector },
): Promise<FileWrite> {
  refuseEscapes(path, connector)
  const target = { Bucket: bucket, Key: prefix + path }
  const folder = join(io.tempDir, `put-${randomBytes(4).toString('hex')}`)
  await mkdir(folder, { recursive: true })
  const local = join(folder, basename(path))
  const what = runMessage('writing_path', { path: `${place}/${path}` })

  async function endAbandoned(): Promise<void> {
    try {
      const { Uploads } = await client.send(
        new sdk.ListMultipartUploadsCommand({ Bucket: bucket, Prefix: target.Key }),
        { abortSignal: io.signal },
      )
      for (const { Key, UploadId, Initiated } of Uploads ?? []) {
        if (Key !== target.Key || !UploadId || !Initiated || Date.now() - Initiated.getTime() < abandonedMs) continue
        await client.send(new sdk.AbortMultipartUploadCommand({ ...target, UploadId }), { abortSignal: io.signal })
      }
    } catch (error) {
      if (io.signal.aborted) throw failed(error, what)
      // Who may write may not always list uploads: what killed runs have left is then for the bucket's own rules.
      io.log('debug', 'Uploads that earlier runs have left could not be looked for')
    }
  }
  return {
    local,
    async commit() {
      const Upload = await loadUpload()
      const { size } = await stat(local)
      const partSize = Math.max(smallestPart, Math.ceil(size / mostParts))
      if (size > partSize) await endAbandoned()
      const upload = new Upload({
        client,
        params: {
          ...target,
          Body: createReadStream(local, { highWaterMark: 1024 * 1024 }),
          ContentType: contentType(path),
        },
        partSize,
        queueSize: partsAtOnce,
      })
      const stop = (): void => void upload.abort()
      io.signal.addEventListener('abort', stop)
      try {
        if (io.signal.aborted) await upload.abort()
        await upload.done()
        // It is in its place: a stop that comes only now comes too late.
        const head = await client.send(new sdk.HeadObjectCommand(target))
        if (head.ContentLength !== size) throw new Error(`the store holds ${head.ContentLength} of ${size} bytes`)
      } catch (error) {
        throw failed(error, what)
      } finally {
        io.signal.removeEventListener('abort', stop)
      }
    },
    discard: () => rm(folder, { recursive: true, force: true }),
  }
}

const contentTypes: Record<string, string> = {
  csv: 'text/csv',
  json: 'application/json',
  jsonl: 'application/x-ndjson',
  ndjson: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

function contentType(path: string): string {
  return contentTypes[path.slice(path.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream'
}
