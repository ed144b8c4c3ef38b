import { lookup } from 'node:dns/promises'
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import { runChecks, type Remark } from '../checks.ts'
import { configOf } from '../config.ts'
import type { ConnectorRunner } from '../connector.types.ts'
import { fileResources } from '../stores/resources.ts'
import { addressOf, openSftp, openSocket, type SftpConnection } from './client.ts'
import { isDenied, sftpError } from './errors.ts'
import { rootOf } from './store.ts'
import { runMessage } from '../../../contract/run-messages.ts'
import type { Message } from '../../../language/message.ts'

export const sftpConnector: ConnectorRunner = {
  type: 'sftp',
  async test(connector, { signal }) {
    const { host } = addressOf(connector)
    const open: { socket?: Socket; server?: SftpConnection } = {}
    let root = ''
    const server = (): SftpConnection => {
      if (!open.server) throw new Error('The check before this one has opened no connection')
      return open.server
    }
    const failing = async <T>(what: Message, work: () => Promise<T>): Promise<T> => {
      try {
        return await work()
      } catch (error) {
        throw sftpError(error, connector, what, signal)
      }
    }
    try {
      return await runChecks([
        { name: 'resolve', run: () => failing(runMessage('looking_up', { host }), () => lookup(host)) },
        { name: 'connect', run: async () => (open.socket = await openSocket(connector, signal)) && undefined },
        {
          name: 'authenticate',
          async run() {
            if (open.socket) open.server = await openSftp(connector, open.socket, signal)
            return keyRemark(connector, server())
          },
        },
        {
          name: 'read_probe',
          run: () =>
            failing(runMessage('listing_folder'), async () => {
              root = await rootOf(connector, server(), signal)
              await server().ask((session, done) => session.readdir(root, done))
              return undefined
            }),
        },
        { name: 'write_probe', run: () => failing(runMessage('writing_test_file'), () => writeProbe(server(), root)) },
      ])
    } finally {
      open.server?.close()
      open.socket?.destroy()
    }
  },
  ...fileResources,
}

function keyRemark(connector: BoundConnector, { fingerprint }: SftpConnection): Remark | undefined {
  if (configOf(connector, 'sftp').host_key !== 'any') return undefined
  return {
    remark: `Any host key is accepted, so an intercepted connection goes unnoticed. This one shows ${fingerprint}: enter it once you know that it is right.`,
  }
}

/** Users who only read are right for sources: that is a remark, no failure. */
async function writeProbe(server: SftpConnection, root: string): Promise<Remark | undefined> {
  const probe = `${root.replace(/\/$/, '')}/.headgate-probe-${randomBytes(6).toString('hex')}`
  try {
    const handle = await server.ask<Buffer>((session, done) => session.open(probe, 'wx', done))
    await server.ask((session, done) => session.close(handle, done))
  } catch (error) {
    if (isDenied(error)) return { remark: 'This user may read but not write here: targets need another.' }
    throw error
  }
  await server.ask((session, done) => session.unlink(probe, done))
  return undefined
}
