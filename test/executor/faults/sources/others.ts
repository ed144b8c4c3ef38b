import type { BoundConnector } from '../../../../src/contract/executor-protocol.ts'
import { mongoConnector } from '../connectors.ts'
import { rowOf, rowsTo } from '../rows.ts'
import type { SourceKind } from './source.types.ts'

const mongodb: SourceKind = {
  name: 'mongodb',
  server: 'FerretDB',
  rows: 5_000,
  harms: ['bad value'],
  retries: true,
  remote: true,
  async open(world, { rows, typed, harm }) {
    const { server, client } = await world.mongo()
    const items = client.db('source').collection(`items_${rows}`)
    const harmed = await world.once(`mongodb ${rows}`, async () => {
      await items.insertMany([...rowsTo(rows)])
      return { row: 0 }
    })
    if (harmed.row > 0) await items.updateOne({ id: harmed.row }, { $set: { code: rowOf(harmed.row).code } })
    harmed.row = harm?.kind === 'bad value' ? harm.row : 0
    if (harmed.row > 0) await items.updateOne({ id: harmed.row }, { $set: { code: 'oops' } })
    const bound = (port: number): BoundConnector => mongoConnector(port, 'source')
    const port = Number(new URL(server.uri).port)
    return {
      connector: bound(port),
      yaml: `{connector: in, mongo: {collection: items_${rows}, projection: {_id: 0}, columns: {id: integer, name: string, amount: integer, code: ${typed ? 'integer' : 'string'}}}}`,
      place: /code.*oops/,
      link: { port, through: bound },
    }
  },
}

/** A task's text has at most 1 MiB. */
const inline: SourceKind = {
  name: 'inline',
  rows: 3_000,
  harms: ['bad value'],
  remote: false,
  async open(_world, { rows, typed, harm }) {
    const all = [...rowsTo(rows)]
    const harmed = harm?.kind === 'bad value' ? all[harm.row - 1] : undefined
    if (harmed) harmed.code = 'oops'
    const list = all.map(
      ({ id, name, amount, code }) => `{id: ${id}, name: ${name}, amount: ${amount}, code: "${code}"}`,
    )
    return {
      connector: null,
      yaml: `{inline: {columns: {id: integer, name: string, amount: integer, code: ${typed ? 'integer' : 'string'}}, rows: [${list.join(', ')}]}}`,
      place: /oops/,
    }
  },
}

export const otherSources: readonly SourceKind[] = [mongodb, inline]
