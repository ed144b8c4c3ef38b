import { EngineError, codeOf } from '../engine/errors.ts'
import { runMessage } from '../../contract/run-messages.ts'
import type { Message } from '../../language/message.ts'

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
  hints?: Partial<Record<NetworkCode, Message>>
}

type NetworkCode = keyof typeof words

const noWay = { message: runMessage('no_route'), hint: () => runMessage('check_network') }
const words = {
  ENOTFOUND: {
    message: runMessage('host_unknown'),
    hint: ({ host }: UnreachedServer) => runMessage('check_host_name', { host }),
  },
  EAI_AGAIN: {
    message: runMessage('host_lookup_failed'),
    hint: ({ host }: UnreachedServer) => runMessage('check_host_and_network', { host }),
  },
  ECONNREFUSED: {
    message: runMessage('connection_refused'),
    hint: ({ port, name }: UnreachedServer) => runMessage('check_port_and_server', { port, name }),
  },
  ECONNRESET: {
    message: runMessage('connection_broken'),
    hint: () => runMessage('check_log_and_network'),
  },
  ETIMEDOUT: { message: runMessage('no_answer_in_time'), hint: () => runMessage('check_host_firewalls') },
  EHOSTUNREACH: noWay,
  ENETUNREACH: noWay,
}

/** The system's word for a connection that failed, as ours; null: it is something else. `doing`: what failed by it. */
export function networkError(thrown: unknown, server: UnreachedServer, doing?: Message): EngineError | null {
  const code = codeOf(thrown)
  if (code === undefined || !isNetworkCode(code)) return null
  const { message, hint } = words[code]
  return new EngineError(
    'CONNECTION_FAILED',
    doing === undefined
      ? runMessage('unreached', { cause: message, place: server.at })
      : runMessage('unreached_doing', { action: doing, cause: message, place: server.at }),
    { hint: server.hints?.[code] ?? hint(server), cause: thrown },
  )
}

function isNetworkCode(code: string): code is NetworkCode {
  return Object.hasOwn(words, code)
}
