import { randomBytes } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { EngineError, messageOf } from '../../engine/errors.ts'
import type { FileWrite, StoreIo } from '../stores/store.types.ts'
import type { SftpConnection } from './client.ts'
import { isMissing } from './errors.ts'
import type { SftpFolder } from './files.ts'
import { runMessage } from '../../../contract/run-messages.ts'
import type { Message } from '../../../language/message.ts'

/** Parts that are older have no run behind them any more. */
const abandonedSeconds = 24 * 60 * 60

interface Around {
  folder: SftpFolder
  connection: () => Promise<SftpConnection>
  failed: (error: unknown, what: Message) => EngineError
  place: string
  io: StoreIo
}

/** Put beside the file under a hidden name, then renamed onto it in one step. */
export async function writeOverSftp(
  path: string,
  { folder, connection, failed, place, io }: Around,
): Promise<FileWrite> {
  const what = runMessage('writing_path', { path: `${place}/${path}` })
  const target = await placeOf(path, folder)
  const cut = target.lastIndexOf('/')
  const [parent, name] = [target.slice(0, Math.max(cut, 1)), target.slice(cut + 1)]
  const partName = `.${name}.${randomBytes(8).toString('hex')}.part`
  const part = `${target.slice(0, cut + 1)}${partName}`
  const work = join(io.tempDir, `put-${randomBytes(4).toString('hex')}`)
  await mkdir(work, { recursive: true })
  const local = join(work, basename(path))
  let put = false

  async function upload(server: SftpConnection): Promise<void> {
    await makeFolders(server, parent)
    await removeAbandoned(server, parent, name)
    put = true
    await server.ask((session, done) => session.fastPut(local, part, { concurrency: 32 }, done))
    await flush(server, part)
    if (await renameOver(server, part, target)) return
    io.log('warn', `The server cannot replace a file in one step: for a moment there was no ${path}`)
  }
  return {
    local,
    async commit() {
      try {
        await upload(await connection())
        put = false
      } catch (error) {
        throw failed(error, what)
      }
    },
    async discard() {
      await rm(work, { recursive: true, force: true })
      if (!put || io.signal.aborted) return
      // What cannot be removed now is removed by a later run that writes the same file.
      await connection()
        .then((server) => server.ask((session, done) => session.unlink(part, done)))
        .catch((error: unknown) => io.log('debug', `${partName} stays on the server: ${messageOf(error)}`))
    },
  }
}

/** Where the file lies or is to lie; links on the way are followed below the root only. */
async function placeOf(path: string, folder: SftpFolder): Promise<string> {
  const facts = await folder.facts(path)
  if (facts) {
    if (!(await folder.inside(path))) throw folder.outside(path)
    if (facts.kind === 'file') return (await folder.real(path)) ?? folder.absolute(path)
    throw new EngineError('FILE_UNWRITABLE', runMessage('target_is_folder', { path }), {
      hint: runMessage('target_is_folder_fix'),
    })
  }
  const names = path.split('/')
  for (let length = names.length - 1; length > 0; length--) {
    const parent = names.slice(0, length).join('/')
    if (!(await folder.facts(parent))) continue
    if (!(await folder.inside(parent))) throw folder.outside(path)
    break
  }
  return folder.absolute(path)
}

async function makeFolders(server: SftpConnection, parent: string): Promise<void> {
  try {
    await server.ask((session, done) => session.stat(parent, done))
  } catch (error) {
    if (!isMissing(error)) throw error
    await makeFolders(server, parent.slice(0, parent.lastIndexOf('/')) || '/')
    // Another run may make it at the same moment.
    await server
      .ask((session, done) => session.mkdir(parent, done))
      .catch(async (refused: unknown) => {
        await server.ask((session, done) => session.stat(parent, done)).catch(() => Promise.reject(refused))
      })
  }
}

async function removeAbandoned(server: SftpConnection, parent: string, name: string): Promise<void> {
  const now = Date.now() / 1000
  const entries = await server.ask<{ filename: string; attrs: { mtime: number } }[]>((session, done) =>
    session.readdir(parent, done),
  )
  for (const { filename, attrs } of entries) {
    const middle = filename.startsWith(`.${name}.`) ? filename.slice(name.length + 2) : ''
    if (!/^[0-9a-f]{16}\.part$/.test(middle) || now - attrs.mtime < abandonedSeconds) continue
    await server
      .ask((session, done) => session.unlink(`${parent.replace(/\/$/, '')}/${filename}`, done))
      .catch(() => undefined) // another run was faster
  }
}

/** On the server's disk before it gets its name, where the server can do that. */
async function flush(server: SftpConnection, part: string): Promise<void> {
  const handle = await server.ask<Buffer>((session, done) => session.open(part, 'r+', done))
  try {
    await server.ask((session, done) => session.ext_openssh_fsync(handle, done))
  } catch (error) {
    if (!isUnsupported(error)) throw error
  } finally {
    await server.ask((session, done) => session.close(handle, done))
  }
}

/** false: the server knows no way to do it in one step, and it was done in two. */
async function renameOver(server: SftpConnection, part: string, target: string): Promise<boolean> {
  try {
    await server.ask((session, done) => session.ext_openssh_rename(part, target, done))
    return true
  } catch (error) {
    if (!isUnsupported(error)) throw error
  }
  await server
    .ask((session, done) => session.unlink(target, done))
    .catch((error: unknown) => {
      if (!isMissing(error)) throw error
    })
  await server.ask((session, done) => session.rename(part, target, done))
  return false
}

function isUnsupported(error: unknown): boolean {
  return /does not support this extended request|OP_UNSUPPORTED|unsupported/i.test(messageOf(error))
}
