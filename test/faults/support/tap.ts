import { type AddressInfo, connect, createServer } from 'node:net'

/** Stands before a server and keeps every byte that is sent to it, as it went over the wire. */
export interface Tap {
  url: string
  /** Of one connection each. */
  sent: Buffer[]
  close(): Promise<void>
}

export async function startTap(port: number): Promise<Tap> {
  const sent: Buffer[] = []
  const server = createServer((client) => {
    const at = sent.push(Buffer.alloc(0)) - 1
    const far = connect(port, '127.0.0.1')
    client.on('data', (part) => (sent[at] = Buffer.concat([sent[at]!, Buffer.from(part)])))
    for (const [one, other] of [
      [client, far],
      [far, client],
    ] as const) {
      one.on('error', () => other.destroy())
      one.pipe(other)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Listening on TCP, so it has a port.
  const own = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${own.port}`,
    sent,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
