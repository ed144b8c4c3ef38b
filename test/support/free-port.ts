import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * A port for a server that has to be told one. Below those that the system gives to connections and to whoever asks for any:
 * one of these could be somebody else's by the time that the server listens.
 */
export async function freePort(): Promise<number> {
  for (let left = 100; left > 0; left -= 1) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    const server = createServer().listen(port, '127.0.0.1')
    // Taken: another one is tried.
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    await new Promise((resolve) => server.close(resolve))
    return port
  }
  throw new Error('No free port')
}
