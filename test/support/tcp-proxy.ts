import { connect, createServer, type Socket } from 'node:net'

/** Stands between a client and a server, and can cut them off from each other. */
export interface Proxy {
  port: number
  /** From now on every connection is cut once so many bytes have passed, both ways together. */
  cutAfter(bytes: number): void
  stop(): Promise<void>
}

export async function startProxy(to: number): Promise<Proxy> {
  const sockets = new Set<Socket>()
  let most = Number.POSITIVE_INFINITY
  const server = createServer((near) => {
    const far = connect({ host: '127.0.0.1', port: to })
    let passed = 0
    const ends = [near, far]
    const cut = (): void => ends.forEach((socket) => socket.destroy())
    for (const [at, socket] of ends.entries()) {
      const other = ends[1 - at]
      sockets.add(socket)
      socket.on('error', cut)
      socket.on('close', cut)
      socket.on('data', (bytes) => {
        passed += bytes.length
        if (passed > most) return cut()
        if (other?.write(bytes) === false) socket.pause()
      })
      socket.on('drain', () => other?.resume())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No free port')
  return {
    port: address.port,
    cutAfter(bytes) {
      most = bytes
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
