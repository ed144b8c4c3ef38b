import { createServer } from 'node:http'
import { webConnector } from '../../engine/http-connector.ts'
import { lineOf, rowsBefore, type Row } from '../rows.ts'
import type { World } from '../world.ts'
import type { TargetKind } from './target.types.ts'

interface Inbox {
  port: number
  /** Empty again; a request with row `refuses` is refused. */
  reset(refuses: number | null): void
  /** Takes the row from now on. */
  relent(): void
  lines(): string[]
}

/** An API that takes rows, and tells a repetition by its Idempotency-Key. */
function startInbox(world: World): Promise<Inbox> {
  return world.once('inbox', async () => {
    let taken: string[] = []
    let refused: number | null = null
    const keys = new Set<unknown>()
    const server = createServer((request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        const rows = JSON.parse(Buffer.concat(parts).toString()) as Row[] // as the task says
        const key = request.headers['idempotency-key']
        const isRefused = rows.some((row) => row.id === refused)
        if (!isRefused && !keys.has(key)) taken.push(...rows.map(lineOf))
        if (!isRefused) keys.add(key)
        response.writeHead(isRefused ? 422 : 201, { 'content-type': 'application/json' }).end('{}')
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    world.atEnd(() => {
      server.close()
      server.closeAllConnections()
    })
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('The server has no port')
    return {
      port: address.port,
      reset(refuses) {
        taken = rowsBefore.map(lineOf)
        keys.clear()
        refused = refuses
      },
      relent: () => void (refused = null),
      lines: () => [...taken],
    }
  })
}

export const httpTarget: TargetKind = {
  name: 'http',
  modes: ['append'],
  rows: () => 6_000,
  refuses: () => true,
  remote: true,
  mayKeep: () => true,
  knowsRepetitions: true,
  async open(world, { refuses }) {
    const inbox = await startInbox(world)
    inbox.reset(refuses)
    const bound = (port: number) => webConnector(`http://127.0.0.1:${port}`)
    return {
      connector: bound(inbox.port),
      yaml: '{connector: out, http: {path: /items, send: batch, batch: {rows: 500}}}',
      look: async () => ({ places: [], lines: inbox.lines() }),
      relent: async () => inbox.relent(),
      link: { port: inbox.port, through: bound },
    }
  },
}
