import type { Connector } from '../../../contract/connectors.ts'

const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/** Where a connector leads, in one line: the path, or `user@host:port/database`. */
export function describeAddress({ config }: Pick<Connector, 'config'>): string {
  const path = text(config.path) || text(config.root)
  if (path) return path
  const host = text(config.host)
  if (!host) return ''
  const user = text(config.user)
  const port = text(config.port)
  const database = text(config.database)
  return `${user ? `${user}@` : ''}${host}${port ? `:${port}` : ''}${database ? `/${database}` : ''}`
}
