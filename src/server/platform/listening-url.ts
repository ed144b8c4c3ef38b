import type { AddressInfo } from 'node:net'

/** Where programs on this computer reach a server that listens on `host`. `address`: of its socket, over TCP. */
export function listeningUrl(address: AddressInfo | string | null, host: string): string {
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on TCP')
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${address.port}`
}
