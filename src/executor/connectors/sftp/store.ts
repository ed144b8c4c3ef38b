import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import { EngineError } from '../../engine/errors.ts'
import { configOf } from '../config.ts'
import { FileChanged, fetchFiles, type Remote } from '../stores/fetch.ts'
import { outside, refuseEscapes } from '../stores/paths.ts'
import type { FileStore, StoreIo, StoredFile } from '../stores/store.types.ts'
import { walkTree } from '../stores/tree.ts'
import { addressOf, openSftp, openSocket, type SftpConnection } from './client.ts'
import { isMissing, isPassing, sftpError } from './errors.ts'
import { readBlocks, sftpFolder } from './files.ts'
import { writeOverSftp } from './write.ts'
import { runMessage } from '../../../contract/run-messages.ts'
import type { Message } from '../../../language/message.ts'

/** A folder of a server over SSH. */
export async function openSftpStore(connector: BoundConnector, io: StoreIo): Promise<FileStore> {
  const failed = (error: unknown, what: Message): EngineError => sftpError(error, connector, what, io.signal)
  let opening: Promise<SftpConnection> | null = null
  let current: SftpConnection | null = null
  /** The one connection, or a new one after it broke off. */
  async function connection(): Promise<SftpConnection> {
    if (current?.open === true) return current
    opening ??= openSocket(connector, io.signal)
      .then((socket) => openSftp(connector, socket, io.signal))
      .finally(() => (opening = null))
    current = await opening
    return current
  }
  try {
    const root = await rootOf(connector, await connection(), io.signal)
    const { host, port } = addressOf(connector)
    const place = `sftp://${host}:${port}${root === '/' ? '' : root}`
    const folder = sftpFolder(root, connection, failed, (path) => outside(path, connector))
    const find = async (path: string): Promise<StoredFile | null> => {
      const facts = await folder.facts(path)
      if (facts === null) return null
      if (!(await folder.inside(path))) throw folder.outside(path)
      if (facts.kind === 'file') {
        return { path, size: facts.size, version: facts.version, modified_at: facts.modified_at }
      }
      throw new EngineError('FILE_NOT_FOUND', runMessage('path_names_folder', { path, connector: connector.name }), {
        hint: runMessage('path_is_folder_fix'),
      })
    }
    const remote: Remote = {
      place,
      find,
      read: async (file, from, end) => readBlocks(await connection(), folder.absolute(file.path), from, end),
      // The server says no more than size and time: the file must have been the same before and afterwards.
      async verify(file) {
        const now = await folder.facts(file.path)
        if (now?.size !== file.size || now.version !== file.version) throw new FileChanged()
      },
      failure(error, file) {
        if (isMissing(error)) throw new FileChanged()
        return isPassing(error) ? null : failed(error, runMessage('reading_path', { path: `${place}/${file.path}` }))
      },
      lost: (error, file) => failed(error, runMessage('reading_path', { path: `${place}/${file.path}` })),
    }
    return {
      connector,
      place,
      async *list(pattern, options) {
        if (!pattern.literal) return yield* walkTree(folder, pattern, options)
        const found = await find(pattern.text)
        if (found) yield found
      },
      find,
      namesIn: async (path) => (await folder.entries(path))?.map((entry) => entry.name) ?? [],
      open: (files, most) => fetchFiles(remote, files, io, most),
      write(path) {
        refuseEscapes(path, connector)
        return writeOverSftp(path, { folder, connection, failed, place, io })
      },
      close: async () => current?.close(),
    }
  } catch (error) {
    ;(current as SftpConnection | null)?.close() // set inside of a function, which TypeScript does not see
    throw error
  }
}

/** The connector's folder on the server, links resolved. */
export async function rootOf(connector: BoundConnector, server: SftpConnection, signal: AbortSignal): Promise<string> {
  const root = configOf(connector, 'sftp').root ?? ''
  const wanted = root === '' ? '.' : root
  try {
    const stats = await server.ask<{ isDirectory(): boolean }>((session, done) => session.stat(wanted, done))
    if (stats.isDirectory()) return await server.ask<string>((session, done) => session.realpath(wanted, done))
  } catch (error) {
    if (!isMissing(error)) throw sftpError(error, connector, runMessage('opening_folder', { path: wanted }), signal)
    throw new EngineError(
      'FOLDER_NOT_FOUND',
      runMessage('folder_missing_on_server', { folder: wanted, connector: connector.name }),
      {
        hint: runMessage('folder_missing_on_server_fix'),
        cause: error,
      },
    )
  }
  throw new EngineError(
    'FOLDER_NOT_FOUND',
    runMessage('folder_is_file_on_server', { path: wanted, connector: connector.name }),
    {
      hint: runMessage('folder_is_file_on_server_fix'),
    },
  )
}
