import { createHash } from 'node:crypto'
import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import { EngineError } from '../../engine/errors.ts'
import { redactorFor } from '../../redact.ts'
import type { WebConfig } from './config.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** Who we are for a server. Secrets go into headers or the query just before a request is sent, and nowhere else. */
export interface WebAuth {
  /** Adds what signs the request. */
  sign(headers: Record<string, string>, url: URL): Promise<void>
  /** After a 401: forgets the token, so that the next request asks for a new one. false: there is none. */
  renew(): boolean
  /** Secrets that came up on the way, to be kept out of messages. */
  learned(): string[]
}

/** Asks a token server; the answer's status and its text, read within the limits of every request. */
export type PostForm = (
  url: URL,
  form: URLSearchParams,
  authorization: string | null,
) => Promise<{ status: number; text: string }>

export function authOf(connector: BoundConnector, config: WebConfig, post: PostForm): WebAuth {
  const { secrets } = connector
  const plain = (sign: (headers: Record<string, string>, url: URL) => void): WebAuth => ({
    sign: async (headers, url) => sign(headers, url),
    renew: () => false,
    learned: () => [],
  })
  switch (config.auth ?? 'none') {
    case 'none':
      return plain(() => undefined)
    case 'basic': {
      const value = basic(config.user ?? '', secrets['password'] ?? '')
      return { ...plain((headers) => void (headers['authorization'] = value)), learned: () => [value.slice(6)] }
    }
    case 'bearer': {
      const token = secretOf(connector, 'token', 'bearer token')
      return plain((headers) => void (headers['authorization'] = `Bearer ${token}`))
    }
    case 'api_key': {
      const key = secretOf(connector, 'api_key', 'key')
      const name = config.api_key_name ?? 'X-API-Key'
      if (config.api_key_in === 'query') return plain((_, url) => url.searchParams.set(name, key))
      return plain((headers) => void (headers[name.toLowerCase()] = key))
    }
    case 'oauth2':
      return clientCredentials(connector, config, post)
  }
}

function secretOf(connector: BoundConnector, field: string, what: string): string {
  const value = connector.secrets[field]?.trim()
  if (value === undefined || value === '') {
    throw new EngineError('AUTHENTICATION_FAILED', runMessage('secret_missing', { connector: connector.name, what }), {
      hint: runMessage('secret_missing_fix'),
    })
  }
  if (/^[\t\x20-\x7e\x80-\xff]+$/.test(value)) return value
  throw new EngineError(
    'AUTHENTICATION_FAILED',
    runMessage('secret_has_line_end', { what, connector: connector.name }),
    {
      hint: runMessage('secret_has_line_end_fix'),
    },
  )
}

function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

interface Token {
  value: string
  /** By the process's own clock, which no change of the time moves. */
  until: number
}

/** Tokens live as long as they say; workers run many tasks with one. In memory only. */
const tokens = new Map<string, Token>()
const mostTokens = 200
const sparedMs = 30_000
const defaultLifetimeMs = 300_000

function clientCredentials(connector: BoundConnector, config: WebConfig, post: PostForm): WebAuth {
  const client = config.client_id ?? ''
  const secret = connector.secrets['client_secret'] ?? ''
  const address = config.token_url ?? ''
  const key = createHash('sha256')
    .update(JSON.stringify([connector.id, address, client, config.scope ?? '', secret]))
    .digest('hex')
  let seen: string[] = []
  let asked: Promise<Token> | null = null

  async function token(): Promise<Token> {
    const known = tokens.get(key)
    if (known && known.until > performance.now()) return known
    asked ??= askToken(connector, new URL(address), { client, secret, scope: config.scope }, post).finally(() => {
      asked = null
    })
    const fresh = await asked
    const oldest = tokens.keys().next()
    if (tokens.size >= mostTokens && !oldest.done) tokens.delete(oldest.value)
    tokens.set(key, fresh)
    return fresh
  }

  return {
    async sign(headers) {
      const { value } = await token()
      if (!seen.includes(value)) seen = [...seen, value].slice(-5)
      headers['authorization'] = `Bearer ${value}`
    },
    renew() {
      tokens.delete(key)
      return true
    },
    learned: () => [...seen, basicOfForm(client, secret).slice(6)],
  }
}

interface Client {
  client: string
  secret: string
  scope: string | undefined
}

async function askToken(
  connector: BoundConnector,
  url: URL,
  { client, secret, scope }: Client,
  post: PostForm,
): Promise<Token> {
  const form = (more: Record<string, string>): URLSearchParams =>
    new URLSearchParams({ grant_type: 'client_credentials', ...(scope ? { scope } : {}), ...more })
  const asked = performance.now()
  let answer = await post(url, form({}), basicOfForm(client, secret))
  // Servers should take the client in the header; some want it in the form.
  if (answer.status === 401 || (answer.status === 400 && answer.text.includes('invalid_client'))) {
    answer = await post(url, form({ client_id: client, client_secret: secret }), null)
  }
  const fields = fieldsOf(answer.text)
  const value = fields['access_token']
  if (answer.status >= 200 && answer.status < 300 && typeof value === 'string' && /^[\x21-\x7e]+$/.test(value)) {
    const seconds = Number(fields['expires_in'])
    const lives = Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : defaultLifetimeMs
    return { value, until: asked + Math.max(lives - sparedMs, Math.min(lives / 2, sparedMs)) }
  }
  const description = [fields['error'], fields['error_description']]
    .filter((part) => typeof part === 'string')
    .join(': ')
  // Before it is cut: a part of a secret is known by nobody any more.
  const header = basicOfForm(client, secret).slice(6)
  const redacted = redactorFor([{ ...connector, secrets: { ...connector.secrets, header } }])(description).slice(0, 300)
  throw new EngineError(
    answer.status >= 500 ? 'REQUEST_FAILED' : 'AUTHENTICATION_FAILED',
    runMessage('no_token', {
      connector: connector.name,
      host: url.host,
      answer: redacted === '' ? String(answer.status) : `${answer.status}, ${redacted}`,
    }),
    { hint: runMessage('no_token_fix') },
  )
}

/** OAuth encodes client and secret as in a form before they go into the header. */
function basicOfForm(client: string, secret: string): string {
  const encoded = (text: string): string => new URLSearchParams({ _: text }).toString().slice(2)
  return basic(encoded(client), encoded(secret))
}

function fieldsOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {} // JSON objects have text keys
  } catch {
    return {} // told by the status
  }
}
