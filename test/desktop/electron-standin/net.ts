// `net.request` over Node's own HTTP, and the Mac's updater, which only hears that the app quits for an update.
import { EventEmitter } from 'node:events'
import http, { type ClientRequest as NodeRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'

interface NetRequestOptions extends RequestOptions {
  url?: string
  redirect?: 'follow' | 'error' | 'manual'
}

/** Electron tells of a redirect where Node leaves it to the caller; a manual one waits for `followRedirect` or `abort`. */
class ClientRequest extends EventEmitter {
  readonly #request: NodeRequest

  constructor(options: NetRequestOptions | string) {
    super()
    const { url, redirect, ...rest }: NetRequestOptions = typeof options === 'string' ? { url: options } : options
    const { request } = (url ?? rest.protocol)?.startsWith('https:') ? https : http
    this.#request = url === undefined ? request(rest) : request(url, rest)
    this.#request.on('response', (response) => this.#answer(response, redirect))
    this.#request.on('error', (error: NodeJS.ErrnoException) => this.emit('error', asNetError(error)))
  }

  #answer(response: IncomingMessage, redirect: NetRequestOptions['redirect']): void {
    const { statusCode = 0, headers } = response
    if (statusCode < 300 || statusCode >= 400 || headers.location === undefined)
      return void this.emit('response', response)
    response.resume()
    if (redirect !== 'manual')
      throw new Error('electron stand-in: only redirects that are followed by hand are supported')
    this.emit('redirect', statusCode, this.#request.method, new URL(headers.location, this.#address()).href, headers)
  }

  #address(): string {
    return `${this.#request.protocol}//${this.#request.getHeader('host')?.toString() ?? ''}${this.#request.path}`
  }

  setHeader(name: string, value: string): void {
    this.#request.setHeader(name, value)
  }

  write(chunk: string | Buffer): void {
    this.#request.write(chunk)
  }

  end(chunk?: string | Buffer): this {
    this.#request.end(chunk)
    return this
  }

  abort(): void {
    this.#request.destroy()
    this.emit('abort')
  }
}

function asNetError(error: NodeJS.ErrnoException): Error {
  const names: Record<string, string> = {
    ECONNREFUSED: 'net::ERR_CONNECTION_REFUSED',
    ECONNRESET: 'net::ERR_CONNECTION_RESET',
    ENOTFOUND: 'net::ERR_NAME_NOT_RESOLVED',
  }
  return new Error(names[error.code ?? ''] ?? `net::ERR_FAILED (${error.message})`)
}

export const net = {
  request: (options: NetRequestOptions | string): ClientRequest => new ClientRequest(options),
  isOnline: (): boolean => true,
}

export const autoUpdater = new EventEmitter()
