import type { ResourceDetail } from '../../../contract/connectors.ts'
import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import { EngineError } from '../../engine/errors.ts'
import { plain } from '../../sources/record-values.ts'
import type { CallIo } from '../../worker-protocol.ts'
import { mostResources, sampleRows, type ConnectorRunner } from '../connector.types.ts'
import { isSuccess, withWebClient } from '../http/request.ts'
import { keyOf, propertiesOf, typeAtPath, type Property, type StructuredType } from './model.ts'
import { entityUrl, metadataRequest, openService, readEntities, readModel, type ODataService } from './service.ts'
import { convertRecord, storedType } from './values.ts'
import { testWeb } from '../web/test.ts'
import { runMessage } from '../../../contract/run-messages.ts'

export const odataConnector: ConnectorRunner = {
  type: 'odata',
  test: (connector, io) =>
    testWeb(connector, io, {
      request: metadataRequest,
      check: (response, client) => readModel(response, connector, client),
    }),
  listResources: (connector, q, io) =>
    served(connector, io, async ({ model }) => {
      const wanted = (q ?? '').toLowerCase()
      const names = [...model.sets.keys()].filter((name) => name.toLowerCase().includes(wanted)).toSorted()
      return {
        resources: names
          .slice(0, mostResources)
          .map((name) => ({ name, kind: 'entity_set' as const, row_estimate: null, bytes: null })),
        truncated: names.length > mostResources,
      }
    }),
  getResource: (connector, name, io) =>
    served(connector, io, async (service) => {
      const type = typeAtPath(service.model, name)
      if (type) return describe(service, name, type)
      throw new EngineError('TABLE_NOT_FOUND', runMessage('entity_set_unknown', { name, connector: connector.name }), {
        hint: runMessage('entity_set_unknown_fix'),
      })
    }),
}

function served<T>(connector: BoundConnector, io: CallIo, work: (service: ODataService) => Promise<T>): Promise<T> {
  // Somebody waits for it.
  return withWebClient(connector, { signal: io.signal, tries: 2 }, async (client) =>
    work(await openService(client, connector)),
  )
}

async function describe(service: ODataService, set: string, type: StructuredType): Promise<ResourceDetail> {
  const { model } = service
  const key = keyOf(model, type)
  const properties = propertiesOf(model, type)
  return {
    name: set,
    kind: 'entity_set',
    row_estimate: await countOf(service, set),
    bytes: null,
    columns: properties.map((property) => ({
      name: property.name,
      type: writtenType(property),
      nullable: property.nullable,
      primary_key: key.includes(property.name),
      default: null,
    })),
    indexes: key.length === 0 ? [] : [{ name: 'key', columns: key, unique: true }],
    sample: {
      columns: properties.map((property) => ({ name: property.name, type: storedType(model, property).type })),
      rows: await sampleOf(service, set, type, properties),
    },
  }
}

function writtenType({ type, collection, precision, scale }: Property): string {
  const size = precision === null ? '' : `(${precision}${scale === null ? '' : `,${scale}`})`
  return collection ? `Collection(${type})` : `${type}${type === 'Edm.Decimal' ? size : ''}`
}

/** Not every service counts. */
async function countOf({ client }: ODataService, set: string): Promise<number | null> {
  const response = await client.request({
    url: entityUrl(client, `${set}/$count`, {}),
    method: 'GET',
    headers: { accept: 'text/plain' },
  })
  const text = isSuccess(response) ? response.body.toString('utf8').replace('\ufeff', '').trim() : ''
  return /^\d{1,15}$/.test(text) ? Number(text) : null
}

async function sampleOf(
  service: ODataService,
  set: string,
  type: StructuredType,
  properties: Property[],
): Promise<unknown[][]> {
  const rows: unknown[][] = []
  for await (const page of readEntities(service, entityUrl(service.client, set, { $top: String(sampleRows) }), type)) {
    for (const record of page.records) {
      const fields = convertRecord(record, service.model, type)
      rows.push(properties.map((property) => shown(fields[property.name])))
    }
    if (rows.length >= sampleRows) break
  }
  return rows.slice(0, sampleRows)
}

function shown(value: unknown): unknown {
  const simple = plain(value) ?? null
  const written = typeof simple === 'object' && simple !== null ? JSON.stringify(simple) : simple
  return typeof written === 'string' ? written.slice(0, 10_000) : written
}
