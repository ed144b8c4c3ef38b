import { type FileHandle, mkdir, open, readdir, rename, rm, statfs } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { UploadedFile } from '../../../contract/uploads.ts'
import { OwnPlaces } from '../../../process/own-places.ts'
import { ownFolders } from '../../platform/own-folders.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal, unavailable } from '../../platform/refusal.ts'
import type { ConnectorsService } from '../connectors/connectors.service.ts'
import { numberedName, safeName } from './uploads.rules.ts'

export type UploadsService = ReturnType<typeof createUploadsService>

const mebibyte = 1024 * 1024
/** Left on the disk: a full one would stop whatever else is kept there. */
const spareBytes = 256 * mebibyte
/** The disk is looked at again after so many bytes. */
const lookBytes = 64 * mebibyte
const mostAtOnce = 8
const mostNumbers = 10_000
/** Hidden, so that no pattern of files takes one that is not whole. */
const partial = /^\.upload-[\w-]+\.part$/

/** Beside the data folder, which no connector may reach. */
export const uploadsFolder = ({ dataDir, uploads }: Platform['config']): string =>
  uploads.folder ?? join(dirname(dataDir), `${basename(dataDir)}-files`)

export function createUploadsService(platform: Platform, { connectors }: { connectors: ConnectorsService }) {
  const { config, ids } = platform
  let underWay = 0

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

  return {
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
     * PAYLOAD_TOO_LARGE and, where the folder cannot take it, UNAVAILABLE; then nothing is left of it.
     */
    async take(body: AsyncIterable<Uint8Array>, given: string, announced: number | null): Promise<UploadedFile> {
      const folder = uploadsFolder(config)
      if ((announced ?? 0) > config.uploads.maxMb * mebibyte) tooLarge(config.uploads.maxMb)
      if (underWay >= mostAtOnce) unavailable(`${mostAtOnce} uploads are under way. Try again when one has ended.`)
      underWay += 1
      const temporary = join(folder, `.upload-${ids.uuid()}.part`)
      let file: FileHandle | undefined
      try {
        if (new OwnPlaces(ownFolders(config)).look().holds(folder)) withinOurs(folder)
        await mkdir(folder, { recursive: true, mode: 0o700 })
        const { id } = connectors.ofFolder(folder, 'Uploaded files')
        await leaveRoom(folder, announced ?? 0)
        file = await open(temporary, 'wx', 0o600)
        const bytes = await receive(body, file, folder)
        await file.close()
        const name = await settle(temporary, folder, safeName(given))
        return { name, path: join(folder, name), bytes, connector_id: id }
      } catch (error) {
        await file?.close().catch(() => undefined)
        await rm(temporary, { force: true }).catch(() => undefined)
        throw explained(error, folder)
      } finally {
        underWay -= 1
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
  return unavailable(`There are ${mostNumbers} files called ${wanted}. Rename the file.`)
}

// `code` is what Node's own errors carry.
const codeOf = (error: unknown) => (error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined)

function explained(error: unknown, folder: string): unknown {
  if (error instanceof Refusal) return error
  const code = codeOf(error)
  if (code === 'ENOSPC' || code === 'EDQUOT') return refusalOf(() => noRoom(folder))
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || code === 'ENOTDIR' || code === 'EEXIST')
    return refusalOf(() =>
      unavailable(`The folder of uploads ${folder} cannot be written (${code}). Correct its rights, or set uploads.folder.`),
    )
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
  unavailable(`The folder of uploads ${folder} lies within Headgate’s own, where no connector may read. Choose another one: set uploads.folder.`)
}

function noRoom(folder: string): never {
  unavailable(`There is not enough room for the file in ${folder}. Free some space, or set uploads.folder.`)
}

function tooLarge(most: number): never {
  throw new Refusal('PAYLOAD_TOO_LARGE', `The file is larger than ${most} MiB, which uploads.max_mb allows`)
}
