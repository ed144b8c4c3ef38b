import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import type { ConnectorConfig } from '../../../contract/connector-types.ts'
import { EngineError } from '../../engine/errors.ts'
import { configOf } from '../config.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** What HTTP and OData connectors have in common. */
export type WebConfig = ConnectorConfig<'http'>

export function webConfigOf(connector: BoundConnector): WebConfig {
  return connector.type === 'odata' ? configOf(connector, 'odata') : configOf(connector, 'http')
}

/** The base URL, without a `#`; paths are put behind it. */
export function baseOf(connector: BoundConnector): URL {
  const { base_url: written } = webConfigOf(connector)
  const url = URL.parse(written)
  if (url && (url.protocol === 'http:' || url.protocol === 'https:') && url.username === '' && url.password === '') {
    url.hash = ''
    return url
  }
  throw new EngineError('CONNECTOR_UNSUITABLE', runMessage('base_url_invalid', { connector: connector.name }), {
    hint: runMessage('base_url_invalid_fix'),
  })
}

/** A path of a task behind the base URL; it never leads out of it. The parameters of both are kept. */
export function urlBelow(base: URL, path: string): URL {
  const mark = path.indexOf('?')
  const [pathname, query] = mark === -1 ? [path, ''] : [path.slice(0, mark), path.slice(mark + 1)]
  const url = new URL(base)
  const folder = base.pathname.replace(/\/+$/, '')
  url.pathname = pathname === '' ? base.pathname : `${folder}/${pathname.replace(/^\/+/, '')}`
  // Some servers take an encoded slash for a slash: for them, too, the path must stay below.
  const read = new URL(url)
  read.pathname = url.pathname.replaceAll(/%2f|%5c/gi, '/')
  const isBelow = [url, read].every((one) => `${one.pathname}/`.startsWith(`${folder}/`))
  if (url.origin !== base.origin || !isBelow) {
    throw new EngineError('PATH_OUTSIDE_FOLDER', runMessage('path_leaves_base_url', { path: path.slice(0, 200) }), {
      hint: runMessage('path_leaves_base_url_fix'),
    })
  }
  for (const [name, value] of new URLSearchParams(query)) url.searchParams.append(name, value)
  return url
}
