import { createServer, type ServerResponse } from 'node:http'
import { webConnector } from '../../engine/http-connector.ts'
import { rowsTo, type Row } from '../rows.ts'
import type { World } from '../world.ts'
import type { Harm, SourceKind, SourceSpec } from './source.types.ts'

const perPage = 2500

interface Api {
  port: number
  /** What is wrong with its answers from now on, and how many rows there are. */
  serve(spec: Pick<SourceSpec, 'rows' | 'harm'>): void
}

/** One server that gives the rows as a JSON API with numbered pages, and as an OData service. */
function startApi(world: World): Promise<Api> {
  return world.once('web', async () => {
    let all: Row[] = []
    let harm: Harm | null = null
    const server = createServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://localhost')
      if (url.pathname === '/$metadata') return void response.setHeader('content-type', 'application/xml').end(metadata)
      const skip =
        url.pathname === '/Items'
          ? Number(url.searchParams.get('$skiptoken'))
          : perPage * (Number(url.searchParams.get('page')) - 1)
      const rows = all.slice(skip, skip + perPage)
      const next = skip + perPage < all.length ? { '@odata.nextLink': `Items?$skiptoken=${skip + perPage}` } : {}
      const body = JSON.stringify(
        url.pathname === '/Items' ? { '@odata.context': '$metadata#Items', value: rows, ...next } : { items: rows },
      )
      const cut = harm?.kind === 'truncated' && skip <= cutAt(harm.share) && cutAt(harm.share) < skip + perPage
      answer(response, body, cut)
    })
    const cutAt = (share: number): number => Math.floor(all.length * share)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    world.atEnd(() => {
      server.close()
      server.closeAllConnections()
    })
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('The server has no port')
    return {
      port: address.port,
      serve({ rows, harm: wrong }) {
        harm = wrong
        all = [...rowsTo(rows)]
        const harmed = wrong?.kind === 'bad value' ? all[wrong.row - 1] : undefined
        if (harmed) harmed.code = 'oops'
      },
    }
  })
}

/** All that was announced, or the first half of it and then no connection. */
function answer(response: ServerResponse, body: string, cut: boolean): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  if (cut) response.write(body.slice(0, body.length / 2), () => response.destroy())
  else response.end(body)
}

const property = (name: string, type: string): string => `<Property Name="${name}" Type="Edm.${type}"/>`
const metadata = `<?xml version="1.0"?><edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
<Schema Namespace="shop" xmlns="http://docs.oasis-open.org/odata/ns/edm"><EntityType Name="Item"><Key><PropertyRef Name="id"/></Key>
${property('id', 'Int64')}${property('name', 'String')}${property('amount', 'Int32')}${property('code', 'String')}</EntityType>
<EntityContainer Name="C"><EntitySet Name="Items" EntityType="shop.Item"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>`

const source = (name: 'http' | 'odata', yaml: (columns: string) => string): SourceKind => ({
  name,
  rows: 30_000,
  harms: ['bad value', 'truncated'],
  retries: true,
  remote: true,
  async open(world, spec) {
    const api = await startApi(world)
    api.serve(spec)
    const bound = (port: number) => webConnector(`http://127.0.0.1:${port}`, {}, {}, name)
    return {
      connector: bound(api.port),
      yaml: yaml(`{id: integer, name: string, amount: integer, code: ${spec.typed ? 'integer' : 'string'}}`),
      place: spec.harm?.kind === 'bad value' ? /`?code`?.*oops/ : /\/items|\/Items/,
      link: { port: api.port, through: bound },
    }
  },
})

export const webSources: readonly SourceKind[] = [
  source(
    'http',
    (columns) =>
      `{connector: in, http: {path: /items, records: items, paginate: {kind: page, param: page, max_pages: 1000}, columns: ${columns}}}`,
  ),
  source('odata', (columns) => `{connector: in, odata: {entity: Items, columns: ${columns}}}`),
]
