import { createServer, connect, type Socket } from 'node:net'
import { once } from 'node:events'

/** A message of the server: its letter and what follows the length. */
export interface PostgresMessage {
  code: string
  body: Buffer
}

export interface PostgresProxy {
  port: number
  stop(): Promise<void>
}

/**
 * Stands between a client and PostgreSQL, and changes what the server says message by message: `change` gives what is passed on in the
 * place of a message, or `cut` to end the connection.
 */
export async function startPostgresProxy(
  port: number,
  change: (message: PostgresMessage) => PostgresMessage[] | 'cut',
): Promise<PostgresProxy> {
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    const server = connect(port, '127.0.0.1')
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        client.destroy()
        server.destroy()
      })
    }
    client.pipe(server)
    let held = Buffer.alloc(0)
    server.on('data', (bytes) => {
      held = Buffer.concat([held, bytes])
      let at = 0
      while (held.length - at >= 5) {
        const end = at + 1 + held.readUInt32BE(at + 1)
        if (end > held.length) break
        const changed = change({ code: String.fromCharCode(held[at] ?? 0), body: held.subarray(at + 5, end) })
        if (changed === 'cut') {
          client.destroy()
          return
        }
        for (const message of changed) client.write(bytesOf(message))
        at = end
      }
      held = held.subarray(at)
    })
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new Error('No port')
  return {
    port: address.port,
    async stop() {
      for (const socket of sockets) socket.destroy()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}

function bytesOf({ code, body }: PostgresMessage): Buffer {
  const head = Buffer.alloc(5)
  head.write(code, 'latin1')
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
