import type { DatasetUse } from './dataset-uses.ts'

/** A connector as far as it says where its datasets are. */
export interface DatasetConnector {
  name: string
  type: string
  config: Readonly<Record<string, unknown>>
}

/** By the naming of OpenLineage: where the dataset is, and its name there. The same dataset has one name, whichever connector leads to it. */
export interface DatasetName {
  /** Never holds a blank. */
  namespace: string
  name: string
}

/** The name of a dataset behind the connector that its slot is bound to. */
export function datasetName(
  use: Pick<DatasetUse, 'kind' | 'schema' | 'name'>,
  connector: DatasetConnector,
): DatasetName {
  const { namespace, within } = placeOf(connector)
  const named = { namespace: namespace.replaceAll(' ', '%20') }
  if (use.kind === 'query') return { ...named, name: `query: ${use.name}` }
  return { ...named, name: within(use) }
}

type Within = (use: Pick<DatasetUse, 'schema' | 'name'>) => string

function placeOf({ name: connectorName, type, config }: DatasetConnector): { namespace: string; within: Within } {
  const text = (key: string, fallback = '') => {
    const value = config[key]
    return typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : fallback
  }
  switch (type) {
    case 'postgres':
      return {
        namespace: `postgres://${hostOf(text('host', 'localhost'))}:${text('port', '5432')}`,
        within: ({ schema, name }) => `${text('database')}.${schema ?? text('schema', 'public')}.${name}`,
      }
    case 'mysql':
      return {
        namespace: `mysql://${hostOf(text('host', 'localhost'))}:${text('port', '3306')}`,
        within: ({ schema, name }) => `${schema ?? text('database')}.${name}`,
      }
    // These don't tell capitals apart.
    case 'sqlite':
    case 'duckdb':
      return {
        namespace: `${type}://${text('path')}`,
        within: ({ schema, name }) => `${(schema ?? 'main').toLowerCase()}.${name.toLowerCase()}`,
      }
    case 'mongodb':
      return {
        namespace: text('uri', 'mongodb://localhost').replace(/^(mongodb(?:\+srv)?:\/\/[^/?]*).*$/s, '$1'),
        within: ({ name }) => `${text('database')}.${name}`,
      }
    case 'file':
      return { namespace: 'file', within: ({ name }) => joined(text('root'), name) }
    case 's3': {
      const endpoint = text('endpoint')
      const namespace =
        endpoint === '' ? `s3://${text('bucket')}` : `s3://${text('bucket')}@${endpoint.replace(/^https?:\/\//, '')}`
      return { namespace: trimmed(namespace), within: ({ name }) => joined(text('prefix'), name).replace(/^\//, '') }
    }
    case 'sftp':
      return {
        namespace: `sftp://${hostOf(text('host'))}:${text('port', '22')}`,
        within: ({ name }) => joined(text('root', '.'), name),
      }
    case 'http':
    case 'odata': {
      const [, origin = '', path = ''] = /^(https?:\/\/[^/?#]*)([^?#]*)/.exec(text('base_url')) ?? []
      return {
        namespace: origin || `${type}://${encodeURIComponent(connectorName)}`,
        within: ({ name }) => joined(path || '/', name),
      }
    }
    default:
      return { namespace: `${type}://${encodeURIComponent(connectorName)}`, within: ({ name }) => name }
  }
}

const hostOf = (host: string) => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host).toLowerCase()
const trimmed = (text: string) => text.replace(/\/+$/, '')
/** Roots of Windows keep their way of writing. */
const joined = (root: string, path: string) =>
  path.startsWith('/') && root === '/' ? path : `${trimmed(root)}/${path.replace(/^\//, '')}`
