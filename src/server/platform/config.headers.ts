import { msg } from '../../contract/messages.ts'
import { type About, type Setting, secret } from './config.setting-kinds.ts'

/** Set by whoever sends. */
const own = new Set(['content-type', 'content-length', 'host', 'connection', 'transfer-encoding', 'user-agent'])

/** `name=value` pairs as in OTEL_EXPORTER_OTLP_HEADERS; null: they can't be read. */
export function headersIn(text: string): Record<string, string> | null {
  const headers: Record<string, string> = {}
  for (const pair of text.split(',')) {
    const [, name, encoded] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? []
    if (name === undefined || encoded === undefined || own.has(name.toLowerCase())) return null
    const value = decoded(encoded)
    // What a header can carry.
    if (value === null || !/^[\x20-\x7e]+$/.test(value)) return null
    headers[name.toLowerCase()] = value
  }
  return headers
}
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null // a % that stands for nothing
  }
}

/** Headers of requests, all of them secret. */
export function secretHeaders(about: About): Setting<string | null> {
  const kind = secret(about)
  return {
    ...kind,
    fix: msg('give_headers'),
    check(given) {
      const checked = kind.check(given)
      if ('reason' in checked || checked.value === null) return checked
      return headersIn(checked.value) ? checked : { reason: msg('not_headers') }
    },
  }
}
