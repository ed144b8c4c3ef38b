import type { Connector } from '../../../contract/connectors.ts'

const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/** Where a connector leads, in one line: a path, a bucket, a URL, or `user@host:port/database`. */
export function describeAddress({ config }: Pick<Connector, 'config'>): string {
  const bucket = text(config.bucket)
  if (bucket) return bucketAddress(config, bucket)
  const host = text(config.host)
  const path = text(config.path) || text(config.root)
  if (path && !host) return path
  const url = text(config.base_url) || text(config.uri)
  const database = text(config.database)
  if (url) return database ? `${url.replace(/\/(\?.*)?$/, '')}/${database}` : url
  if (!host) return ''
  const user = text(config.user)
  const port = text(config.port)
  const behind = database ? `/${database}` : path && `${path.startsWith('/') ? '' : '/'}${path}`
  return `${user ? `${user}@` : ''}${host}${port ? `:${port}` : ''}${behind}`
}

function bucketAddress(config: Connector['config'], bucket: string): string {
  const prefix = text(config.prefix)
  const endpoint = text(config.endpoint).replace(/^https?:\/\//, '')
  return `s3://${bucket}${prefix ? `/${prefix}` : ''}${endpoint ? ` (${endpoint})` : ''}`
}
