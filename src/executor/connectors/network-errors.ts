import { EngineError, codeOf } from '../engine/errors.ts'

/** A server that could not be reached, in the words of its connector. */
export interface UnreachedServer {
  /** The server's address and the connector. */
  at: string
  /** The server in a sentence: `PostgreSQL`. */
  name: string
  /** The setting that names the host. */
  host: string
  /** The setting, or settings, of host and port. */
  port: string
  /** In place of the usual ones. */
  hints?: Partial<Record<NetworkCode, string>>
}

type NetworkCode = keyof typeof words

const noWay = { message: 'There is no way to this address', hint: () => 'Check the network of the executor’s machine.' }
const words = {
  ENOTFOUND: {
    message: 'The host name is not known',
    hint: ({ host }: UnreachedServer) =>
      `Check ${host} for a typing mistake, and the name service of the executor’s machine.`,
  },
  EAI_AGAIN: {
    message: 'The host name could not be looked up',
    hint: ({ host }: UnreachedServer) => `Check ${host} and the network of the executor’s machine.`,
  },
  ECONNREFUSED: {
    message: 'Nothing answers there',
    hint: ({ port, name }: UnreachedServer) => `Check ${port}, that ${name} runs, and that it listens on that address.`,
  },
  ECONNRESET: {
    message: 'The connection was broken off',
    hint: () => 'Check the server’s log; a network device may cut idle connections.',
  },
  ETIMEDOUT: { message: 'The server did not answer in time', hint: () => 'Check host, port and firewalls.' },
  EHOSTUNREACH: noWay,
  ENETUNREACH: noWay,
}

/** The system's word for a connection that failed, as ours; null: it is something else. `doing`: what failed by it. */
export function networkError(thrown: unknown, server: UnreachedServer, doing?: string): EngineError | null {
  const code = codeOf(thrown)
  if (code === undefined || !isNetworkCode(code)) return null
  const { message, hint } = words[code]
  return new EngineError(
    'CONNECTION_FAILED',
    `${doing === undefined ? '' : `${doing} failed. `}${message}: ${server.at}`,
    { hint: server.hints?.[code] ?? hint(server), cause: thrown },
  )
}

function isNetworkCode(code: string): code is NetworkCode {
  return Object.hasOwn(words, code)
}
