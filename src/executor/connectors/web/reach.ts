import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { checkHost, guardedLookup } from './address.ts'

/** The steps below a request one by one, for tests of a connector. Each throws what the system says. */

const timeoutMs = 5000

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
}

/** Looks the host up, and refuses addresses that are not allowed. */
export function resolveHost(url: URL, allowPrivate: boolean): Promise<void> {
  checkHost(url.hostname, allowPrivate)
  const host = hostOf(url)
  if (isIP(host) !== 0) return Promise.resolve()
  return new Promise((resolve, reject) => {
    guardedLookup(allowPrivate)(host, { all: true }, (error) => (error ? reject(error) : resolve()))
  })
}

export async function reachHost(url: URL, allowPrivate: boolean, signal: AbortSignal): Promise<void> {
  ;(await open(url, allowPrivate, signal)).destroy()
}

/** Shakes hands; throws when the certificate is not trusted. */
export async function shakeHands(url: URL, allowPrivate: boolean, signal: AbortSignal): Promise<void> {
  const socket = await open(url, allowPrivate, signal)
  const host = hostOf(url)
  try {
    await new Promise<void>((resolve, reject) => {
      const secure = connectTls({ socket, host, ...(isIP(host) === 0 ? { servername: host } : {}) }, resolve)
      secure.once('error', reject)
      socket.once('error', reject)
      socket.once('timeout', () => reject(timedOut()))
      socket.once('close', () => reject(new Error('The connection was closed during the TLS handshake')))
    })
  } finally {
    socket.destroy()
  }
}

function open(url: URL, allowPrivate: boolean, signal: AbortSignal): Promise<Socket> {
  checkHost(url.hostname, allowPrivate)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostOf(url), port: portOf(url), lookup: guardedLookup(allowPrivate), signal })
    socket.setTimeout(timeoutMs)
    socket.once('connect', () => resolve(socket))
    socket.once('timeout', () => socket.destroy(timedOut()))
    socket.once('error', reject)
  })
}

function timedOut(): Error {
  return Object.assign(new Error('The server did not answer in time'), { code: 'ETIMEDOUT' })
}
