/** Reads what people copy from a console or a configuration file: a URL or a DSN, as fields of a connector. Pure. */
import type { ConnectorType } from '../../../contract/connector-types.ts'

export interface ReadUrl {
  /** The types whose addresses are written so. */
  types: readonly ConnectorType[]
  config: Record<string, string>
  secrets: Record<string, string>
  /** Parameters that no field takes. */
  ignored: string[]
}

interface Parts {
  scheme: string
  user: string
  password: string
  /** With ports; several of MongoDB. */
  hosts: string
  path: string
  query: Map<string, string>
}

/** Of a text that is not encoded as it should be: the text itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const queryOf = (text: string) =>
  new Map(
    text
      .split('&')
      .filter(Boolean)
      .map((pair) => {
        const [name = '', ...value] = pair.split('=')
        return [decoded(name), decoded(value.join('='))] as const
      }),
  )

function readParts(text: string): Parts | undefined {
  const found = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#.*)?$/i.exec(text)
  if (!found) return undefined
  const [, scheme = '', authority = '', path = '', query = ''] = found
  const at = authority.lastIndexOf('@')
  // A password with a bare slash would end up in the path, in sight of all.
  if (at < 0 && path.includes('@') && authority.includes(':')) return undefined
  const [user = '', ...password] = at < 0 ? [] : authority.slice(0, at).split(':')
  return {
    scheme: scheme.toLowerCase(),
    user: decoded(user),
    password: decoded(password.join(':')),
    hosts: authority.slice(at + 1),
    path,
    query: queryOf(query),
  }
}

/** `host=db port=5432 password='it\'s'`, as libpq takes it. */
function readPairs(text: string): Parts | undefined {
  const pairs = [...text.matchAll(/(\w+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|(\S*))\s*/g)]
  if (pairs.length === 0 || pairs.map(([whole]) => whole).join('') !== text) return undefined
  const query = new Map(
    pairs.map(([, name = '', quoted, bare]) => [name, quoted?.replaceAll(/\\(.)/g, '$1') ?? bare ?? '']),
  )
  if (!query.has('host') && !query.has('dbname')) return undefined
  const take = (name: string) => {
    const value = query.get(name) ?? ''
    query.delete(name)
    return value
  }
  const port = take('port')
  const hosts = `${take('host')}${port && `:${port}`}`
  return {
    scheme: 'postgres',
    user: take('user'),
    password: take('password'),
    hosts,
    path: `/${encodeURIComponent(take('dbname'))}`,
    query,
  }
}

function hostAndPort(hosts: string): { host: string; port: string } | undefined {
  const found = /^(?:\[([0-9a-f:.]+)\]|([^:,[\]\s]*))(?::(\d{1,5}))?$/i.exec(hosts)
  return found ? { host: decoded(found[1] ?? found[2] ?? ''), port: found[3] ?? '' } : undefined
}

/** Fields without a value are left as they stand. */
const filled = (fields: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => Boolean(entry[1])))

const tlsModes: Record<string, string> = {
  disable: 'disable',
  disabled: 'disable',
  require: 'require',
  required: 'require',
  true: 'require',
  'verify-full': 'verify-full',
  verify_identity: 'verify-full',
}

type Reader = (parts: Parts, rest: Map<string, string>) => Omit<ReadUrl, 'ignored'> | undefined

/** What stands in the query is taken out of it: the rest is told as ignored. */
function take(rest: Map<string, string>, ...names: string[]): string {
  const name = [...rest.keys()].find((one) => names.includes(one.toLowerCase()))
  const value = name === undefined ? '' : (rest.get(name) ?? '')
  if (name !== undefined) rest.delete(name)
  return value
}

const database =
  (type: 'postgres' | 'mysql'): Reader =>
  (parts, rest) => {
    const place = hostAndPort(parts.hosts)
    if (!place) return undefined
    const mode = tlsModes[take(rest, 'sslmode', 'ssl-mode', 'ssl').toLowerCase()]
    const user = parts.user || take(rest, 'user')
    const password = parts.password || take(rest, 'password')
    const schema = type === 'postgres' ? take(rest, 'currentschema', 'schema') : ''
    return {
      types: [type],
      config: filled({ ...place, database: decoded(parts.path.slice(1)), user, ssl: mode, schema }),
      secrets: filled({ password }),
    }
  }

const mongo: Reader = ({ scheme, hosts, user, password, path }, rest) => {
  if (!/^[^\s/@]+$/.test(hosts)) return undefined
  const authSource = take(rest, 'authsource')
  const options = [...rest].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
  // Options stay in the address.
  rest.clear()
  return {
    types: ['mongodb'],
    config: filled({
      uri: `${scheme}://${hosts}${options && `/?${options}`}`,
      database: decoded(path.slice(1)),
      user,
      auth_source: authSource,
    }),
    secrets: filled({ password }),
  }
}

const web: Reader = ({ scheme, hosts, user, password, path, query }, rest) => {
  const options = [...query]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
  rest.clear()
  return {
    types: ['http', 'odata'],
    config: filled({
      base_url: `${scheme}://${hosts}${path.replace(/\/$/, '')}${options && `?${options}`}`,
      auth: user ? 'basic' : undefined,
      user,
    }),
    secrets: filled({ password }),
  }
}

const bucket: Reader = ({ hosts, user, password, path }, rest) => ({
  types: ['s3'],
  config: filled({
    bucket: hosts,
    prefix: decoded(path).replaceAll(/^\/|\/$/g, ''),
    region: take(rest, 'region'),
    endpoint: take(rest, 'endpoint', 'endpoint_url'),
    access_key_id: user,
  }),
  secrets: filled({ secret_access_key: password }),
})

const sftp: Reader = ({ hosts, user, password, path }) => {
  const place = hostAndPort(hosts)
  return (
    place && {
      types: ['sftp'],
      config: filled({ ...place, user, root: path === '/' ? '' : decoded(path) }),
      secrets: filled({ password }),
    }
  )
}

const readers: Record<string, Reader> = {
  postgres: database('postgres'),
  postgresql: database('postgres'),
  mysql: database('mysql'),
  mariadb: database('mysql'),
  mongodb: mongo,
  'mongodb+srv': mongo,
  http: web,
  https: web,
  s3: bucket,
  sftp,
}

/** Undefined where the text is no address that a connector has. */
export function readConnectionUrl(text: string): ReadUrl | undefined {
  const trimmed = text.trim().replace(/^jdbc:/i, '')
  const parts = readParts(trimmed) ?? readPairs(trimmed)
  // `postgresql+psycopg2://`, as libraries of Python write it.
  const scheme = parts?.scheme ?? ''
  const reader = readers[scheme] ?? readers[scheme.replace(/\+.*$/, '')]
  if (!parts || !reader || !parts.hosts) return undefined
  const rest = new Map(parts.query)
  const read = reader(parts, rest)
  return read && { ...read, ignored: [...rest.keys()] }
}

/** Whether a text carries a password: it must not be shown in a plain field. */
export const hasPassword = (text: string) => Object.keys(readConnectionUrl(text)?.secrets ?? {}).length > 0
