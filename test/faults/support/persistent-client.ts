import { type Client, type Reply, connect } from './server-process.ts'

/** Where the server is right now; callers wait here while it is away. */
export class Whereabouts {
  #url: string | null = null
  #waiting: ((url: string) => void)[] = []

  get url(): Promise<string> {
    return this.#url === null ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(this.#url)
  }
  arrived(url: string): void {
    this.#url = url
    for (const resolve of this.#waiting.splice(0)) resolve(url)
  }
  left(): void {
    this.#url = null
  }
}

export interface PersistentClient {
  /**
   * Repeats until there is an answer: what a careful client does when a connection breaks. `again` says whether it had to:
   * then the server may have done it before.
   */
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Reply & { again: boolean }>
  close(): void
}

/** A caller with a credential who follows the server to wherever it comes back. */
export function persistentClient(where: Whereabouts, credential: string): PersistentClient {
  const clients = new Map<string, Client>()
  function at(url: string): Client {
    const client = clients.get(url) ?? connect(url, { authorization: `Bearer ${credential}` })
    clients.set(url, client)
    return client
  }
  return {
    async send(method, path, body, headers) {
      for (let again = false; ; again = true) {
        const client = at(await where.url)
        try {
          const reply = await client.send(method, path, body, headers)
          if (reply.status < 500) return { ...reply, again }
        } catch {
          // Nothing is known about what became of it: the same request again.
          await new Promise((resolve) => setImmediate(resolve))
        }
      }
    },
    close() {
      for (const client of clients.values()) client.close()
    },
  }
}
