// A folder of update files over real HTTP, and what `electron` is to electron-updater in a test: its own requests go through the
// stand-in's `net`, all else is the library as the app loads it.
import { createHash } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Feed {
  url: string
  /** Paths that were asked for. */
  asked: string[]
  put(name: string, content: string | Buffer): void
  /** A version whose one file holds `content`; `says` is what its description tells of it. */
  offer(version: string, content: string, says?: { sha512?: string; url?: string }): void
  close(): Promise<void>
}

export async function startFeed(): Promise<Feed> {
  const files = new Map<string, string | Buffer>()
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://feed').pathname
    asked.push(path)
    const content = files.get(path)
    response.writeHead(content === undefined ? 404 : 200, { connection: 'close' }).end(content ?? 'not here')
  })
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const put: Feed['put'] = (name, content) => void files.set(`/updates/${name}`, content)
  return {
    url: `http://127.0.0.1:${port}/updates`,
    asked,
    put,
    offer(version, content, says = {}) {
      const name = `headgate-${version}-linux-x86_64.AppImage`
      const sha512 = says.sha512 ?? createHash('sha512').update(content).digest('base64')
      put(name, content)
      put(
        'latest-linux.yml',
        [
          `version: ${version}`,
          'files:',
          `  - url: ${says.url ?? name}`,
          `    sha512: ${sha512}`,
          `    size: ${content.length}`,
          `path: ${name}`,
          `sha512: ${sha512}`,
          `releaseDate: '2026-01-01T00:00:00.000Z'`,
          '',
        ].join('\n'),
      )
    },
    close: () => new Promise((closed) => void server.close(() => closed())),
  }
}

/** The version that asks: 1.0.0. */
export class UpdatingApp extends EventEmitter {
  readonly isPackaged = true
  readonly userData: string

  constructor(userData: string) {
    super()
    this.userData = userData
  }

  getVersion = (): string => '1.0.0'
  getName = (): string => 'Headgate'
  getPath = (): string => this.userData
  getAppPath = (): string => this.userData
  whenReady = (): Promise<void> => Promise.resolve()
  quit(): void {
    this.emit('quit-asked')
  }
}
