import { msg } from '../../../contract/messages.ts'
import { type FileHandle, mkdir, open, readdir, rename, rm, statfs } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Paginated } from '../../../contract/common.ts'
import { allowsOthers } from '../../../contract/policy.ts'
import type { Upload, UploadedFile } from '../../../contract/uploads.ts'
import { OwnPlaces } from '../../../process/own-places.ts'
import type { Caller } from '../../platform/caller.ts'
import { codeOf } from '../../platform/data-folder.ts'
import { filePage } from '../../platform/file-page.ts'
import { ownFolders } from '../../platform/own-folders.ts'
import type { Platform } from '../../platform/platform.ts'
import { removeWithRecord } from '../../platform/remove-with-record.ts'
import { Refusal, conflict, forbidden, notFound, rateLimited, unavailable } from '../../platform/refusal.ts'
import type { ConnectorsService } from '../connectors/connectors.service.ts'
import type { TaskFilesService } from '../tasks/task-files.service.ts'
import { type UploadFile, fileAt, findUpload, uploadFiles } from './upload-files.ts'
import { numberedName, safeName } from './uploads.rules.ts'
import { createUploadsStore } from './uploads.store.ts'

export type UploadsService = ReturnType<typeof createUploadsService>

const mebibyte = 1024 * 1024
/** Left on the disk: a full one would stop whatever else is kept there. */
const spareBytes = 256 * mebibyte
/** The disk is looked at again after so many bytes. */
const lookBytes = 64 * mebibyte
const mostAtOnce = 32
/** So that nobody keeps others out. */
const mostOfUser = 8
const retrySeconds = 5
const mostNumbers = 10_000
/** Hidden, so that no pattern of files takes one that is not whole. */
const partial = /^\.upload-[\w-]+\.part$/

/** Beside the data folder, which no connector may reach. */
export const uploadsFolder = ({ dataDir, uploads }: Platform['config']): string =>
  uploads.folder ?? join(dirname(dataDir), `${basename(dataDir)}-files`)

interface Dependencies {
  connectors: ConnectorsService
  tasks: TaskFilesService
  users: { usernames(ids: number[]): Map<number, string> }
}

export function createUploadsService(platform: Platform, { connectors, tasks, users }: Dependencies) {
  const { config, ids, store, events } = platform
  const partialName = () => `.upload-${ids.uuid()}.part`
  const owners = createUploadsStore(store)
  /** User ids, one for each upload. */
  const underWay: number[] = []

  async function leaveRoom(folder: string, bytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(folder)
    if (bavail * bsize < bytes + spareBytes) noRoom(folder)
  }

  /** Counts while it writes: a length that was announced may be wrong, or missing. */
  async function receive(body: AsyncIterable<Uint8Array>, file: FileHandle, folder: string): Promise<number> {
    const most = config.uploads.maxMb * mebibyte
    let size = 0
    let looked = 0
    for await (const chunk of body) {
      size += chunk.length
      if (size > most) tooLarge(config.uploads.maxMb)
      if (size - looked > lookBytes) {
        looked = size
        await leaveRoom(folder, 0)
      }
      await file.appendFile(chunk)
    }
    await file.sync()
    return size
  }

  /** A folder within ours would show, and let go, what keeps Headgate. */
  function outsideOurs(): string {
    const folder = uploadsFolder(config)
    return new OwnPlaces(ownFolders(config)).look().holds(folder) ? withinOurs(folder) : folder
  }

  /** Path → who uploaded the very file that lies there now. */
  function ownersOf(files: readonly UploadFile[]): Map<string, number> {
    const rows = owners.of(files.map(({ path }) => path))
    return new Map(
      files.flatMap(({ path, created_at }) => {
        const row = rows.get(path)
        return row?.uploaded_at === created_at ? [[path, row.uploaded_by] as const] : []
      }),
    )
  }

  const changed = () => events.append('server.changed', 1, { what: 'uploads' })

  return {
    async list(query: { cursor?: string; limit?: number }): Promise<Paginated<Upload>> {
      const folder = outsideOurs()
      const { page, ...places } = filePage('uploads', uploadFiles(folder), store.cursors, query)
      const by = ownersOf(page)
      const people = users.usernames([...by.values()])
      const used = await tasks.naming(page.map(({ name }) => name))
      const connector_id = connectors.withFolder(folder)?.id ?? null
      const result = page.map(({ name, path, bytes, created_at }) => {
        const uploaded_by = by.get(path) ?? null
        const uploaded_by_name = people.get(uploaded_by ?? 0) ?? null
        const used_by = used.get(name) ?? []
        return { name, bytes, uploaded_at: created_at, uploaded_by, uploaded_by_name, connector_id, used_by }
      })
      return { result, ...places }
    },

    /** `force`: also a file that tasks name. */
    async remove(name: string, force: boolean, caller: Caller): Promise<{ success: boolean }> {
      const folder = outsideOurs()
      const file = findUpload(folder, name) ?? notFound(msg('no_upload', { name }))
      const isOwn = ownersOf([file]).get(file.path) === caller.user_id
      if (!isOwn && !allowsOthers('deleteUpload', caller.role, 'viewer')) forbidden(msg('upload_of_other', { name }))
      const used = force ? [] : ((await tasks.naming([name])).get(name) ?? [])
      if (used.length > 0) conflict(msg('upload_used', { name, tasks: used.map((task) => task.name) }))
      const record = () => {
        owners.remove(file.path)
        changed()
      }
      await removeWithRecord(file.path, join(folder, partialName()), store, record).catch((error: unknown) => {
        const code = codeOf(error)
        if (code === 'ENOENT') notFound(msg('no_upload', { name }))
        if (/^E[A-Z]+$/.test(code)) unavailable(msg('upload_not_deleted', { name, folder, code }))
        throw error
      })
      return { success: true }
    },

    /** What uploads of a server that was killed have left. */
    async start(): Promise<void> {
      const folder = uploadsFolder(config)
      const names = await readdir(folder).catch(() => [])
      await Promise.all(
        names.filter((name) => partial.test(name)).map((name) => rm(join(folder, name), { force: true })),
      )
    },

    /**
     * Keeps the content under a name that was free. `announced`: bytes, null where the client does not say. Refuses with
     * PAYLOAD_TOO_LARGE and, where the folder cannot take it, UNAVAILABLE; then nothing is left of it. Nor when `signal`
     * says that nobody waits for the answer, whose name for the file nobody would know.
     */
    async take(
      body: AsyncIterable<Uint8Array>,
      given: string,
      announced: number | null,
      by: Caller,
      signal: AbortSignal,
    ): Promise<UploadedFile> {
      const folder = uploadsFolder(config)
      if ((announced ?? 0) > config.uploads.maxMb * mebibyte) tooLarge(config.uploads.maxMb)
      if (underWay.filter((id) => id === by.user_id).length >= mostOfUser)
        rateLimited(retrySeconds, msg('uploads_of_user', { most: mostOfUser }))
      if (underWay.length >= mostAtOnce) unavailable(msg('uploads_under_way', { most: mostAtOnce }))
      underWay.push(by.user_id)
      const temporary = join(folder, partialName())
      let file: FileHandle | undefined
      try {
        outsideOurs()
        await mkdir(folder, { recursive: true, mode: 0o700 })
        const { id } = connectors.ofFolder(folder, 'Uploaded files')
        await leaveRoom(folder, announced ?? 0)
        file = await open(temporary, 'wx', 0o600)
        const bytes = await receive(body, file, folder)
        await file.close()
        const name = await settle(temporary, folder, safeName(given))
        const path = join(folder, name)
        const uploaded_at = fileAt(folder, name)?.created_at
        try {
          signal.throwIfAborted()
          store.transaction(() => {
            if (uploaded_at !== undefined) owners.save({ path, uploaded_at, uploaded_by: by.user_id })
            changed()
          })
        } catch (error) {
          // The answer says that nothing was kept, and nobody could delete it as his own.
          await rm(path, { force: true })
          throw error
        }
        return { name, path, bytes, connector_id: id }
      } catch (error) {
        await file?.close().catch(() => undefined)
        await rm(temporary, { force: true }).catch(() => undefined)
        throw explained(error, folder)
      } finally {
        underWay.splice(underWay.indexOf(by.user_id), 1)
      }
    },
  }
}

/** Gives the file the first name that nobody has: an empty file holds the place until it is moved there. */
async function settle(temporary: string, folder: string, wanted: string): Promise<string> {
  for (let number = 1; number <= mostNumbers; number++) {
    const name = numberedName(wanted, number)
    const place = join(folder, name)
    try {
      await (await open(place, 'wx', 0o600)).close()
    } catch (error) {
      if (codeOf(error) === 'EEXIST') continue
      throw error
    }
    try {
      await rename(temporary, place)
    } catch (error) {
      await rm(place, { force: true })
      throw error
    }
    return name
  }
  return unavailable(msg('upload_names_used', { most: mostNumbers, name: wanted }))
}

function explained(error: unknown, folder: string): unknown {
  if (error instanceof Refusal) return error
  const code = codeOf(error)
  if (code === 'ENOSPC' || code === 'EDQUOT') return refusalOf(() => noRoom(folder))
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || code === 'ENOTDIR' || code === 'EEXIST')
    return refusalOf(() => unavailable(msg('uploads_unwritable', { folder, code })))
  return error
}

function refusalOf(refuse: () => never): unknown {
  try {
    return refuse()
  } catch (error) {
    return error
  }
}

function withinOurs(folder: string): never {
  unavailable(msg('uploads_within_ours', { folder }))
}

function noRoom(folder: string): never {
  unavailable(msg('uploads_no_room', { folder }))
}

function tooLarge(most: number): never {
  throw new Refusal('PAYLOAD_TOO_LARGE', msg('upload_large', { most }))
}
