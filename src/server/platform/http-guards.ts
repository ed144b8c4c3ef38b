import { msg } from '../../contract/messages.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from './config.ts'
import { Refusal } from './refusal.ts'

/** `frameAncestors`: who may show the page in a frame. */
const policyWith = (frameAncestors: string) =>
  [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "worker-src 'self' blob:",
    "connect-src 'self'",
    `frame-ancestors ${frameAncestors}`,
    "base-uri 'none'",
    "form-action 'self'",
    "object-src 'none'",
  ].join('; ')
const contentSecurityPolicy = policyWith("'none'")

/** On the raw answer, so that streams and whatever else bypasses Fastify have them as well. */
export function secureHeaders(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = reply
  raw.setHeader('x-request-id', request.id)
  raw.setHeader('content-security-policy', contentSecurityPolicy)
  raw.setHeader('x-content-type-options', 'nosniff')
  raw.setHeader('referrer-policy', 'no-referrer')
  raw.setHeader('cross-origin-opener-policy', 'same-origin')
  raw.setHeader('cross-origin-resource-policy', 'same-origin')
  raw.setHeader('cache-control', 'no-store')
  // Also an answer that refuses: an address that a search engine knows has a token in it.
  if (request.url.startsWith('/api/public/') || request.url.startsWith('/public/'))
    raw.setHeader('x-robots-tag', 'noindex, nofollow')
}

/** Of a page that these sites may show in a frame; without any, no one may. On top of `secureHeaders`. */
export function allowFrames(reply: FastifyReply, origins: readonly string[]): void {
  if (origins.length === 0) return
  reply.raw.setHeader('content-security-policy', policyWith(origins.join(' ')))
  // Its opener may be another site, and the frame around it is.
  reply.raw.removeHeader('cross-origin-opener-policy')
  reply.raw.setHeader('cross-origin-resource-policy', 'cross-origin')
}

/** Names that the server answers to: ours with the port of the connection, and those configured as they stand. */
export interface ServedHosts {
  own: readonly string[]
  configured: readonly string[]
}

export function servedHosts(config: Pick<Config, 'allowedHosts' | 'host'>): ServedHosts {
  const { host } = config
  const loopback = ['127.0.0.1', 'localhost', '[::1]']
  const particular = host !== '0.0.0.0' && host !== '::'
  const address = host.includes(':') ? `[${host}]` : host.toLowerCase()
  return {
    own: particular ? [...new Set([...loopback, address])] : loopback,
    // Read anew each time: it may change while the server runs.
    get configured() {
      return config.allowedHosts
    },
  }
}

/**
 * Answers only to our own names, so that a page elsewhere whose name was made to point at this machine gets nothing. The
 * port is the one that the connection came in on. (In-process injection has no port and counts as 80.)
 */
export function guardHost(request: FastifyRequest, { own, configured }: ServedHosts): void {
  const host = hostOf(request)
  const port = request.raw.socket.localPort ?? 80
  if (own.some((name) => host === `${name}:${port}` || (port === 80 && host === name))) return
  if (configured.some((name) => host === name || host === `${name}:${port}`)) return
  throw new Refusal(
    'MISDIRECTED_REQUEST',
    msg('host_not_served', { host: host.slice(0, 200), address: `127.0.0.1:${port}` }),
  )
}

/** One that is asked for in two ways is none: a proxy in front may have looked at the other. */
function hostOf({ headers, raw }: FastifyRequest): string {
  const host = headers.host?.toLowerCase() ?? ''
  if (raw.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length > 1) {
    throw new Refusal('VALIDATION_ERROR', undefined, {
      details: [{ path: 'headers.host', ...msg('host_listed_twice') }],
    })
  }
  const target = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(raw.url ?? '')?.[1]?.toLowerCase()
  if (target === undefined || target === host) return host
  throw new Refusal('MISDIRECTED_REQUEST', msg('hosts_differ'))
}
