import { createHash } from 'node:crypto'
import { connect as connectTcp, type Socket } from 'node:net'
import { once } from 'node:events'
import type SftpClient from 'ssh2-sftp-client'
import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import { EngineError, messageOf } from '../../engine/errors.ts'
import { configOf } from '../config.ts'
import { sftpError } from './errors.ts'
import { runMessage } from '../../../contract/run-messages.ts'

export type Session = Awaited<ReturnType<SftpClient['connect']>>

export interface SftpConnection {
  readonly session: Session
  /** The key that the server has shown, as ssh writes it. */
  readonly fingerprint: string
  readonly open: boolean
  /** Waits for an answer, or for the connection to end. */
  ask<T>(work: (session: Session, done: (error: Error | null | undefined, value?: T) => void) => void): Promise<T>
  close(): void
}

/** The connection broke off. */
export class ConnectionLost extends Error {}

const connectMs = 15_000
const handshakeMs = 20_000
const keepAliveMs = 10_000

/** Loaded when first used: a driver that fails to load breaks this connector only. */
async function loadClient(): Promise<typeof SftpClient> {
  try {
    return (await import('ssh2-sftp-client')).default
  } catch (error) {
    throw new EngineError('CONNECTION_FAILED', runMessage('sftp_driver_missing', { cause: messageOf(error) }), {
      hint: runMessage('mongodb_driver_missing_fix'),
      cause: error,
    })
  }
}

export function addressOf(connector: BoundConnector): { host: string; port: number } {
  const { host, port } = configOf(connector, 'sftp')
  return { host, port: port ?? 22 }
}

/** A TCP connection; the signal cuts it, whatever goes on over it. */
export async function openSocket(connector: BoundConnector, signal: AbortSignal): Promise<Socket> {
  const socket = connectTcp(addressOf(connector))
  socket.on('error', () => undefined) // each wait hears of it by itself, but there is not always one
  const stop = (): void => void socket.destroy()
  signal.addEventListener('abort', stop)
  socket.once('close', () => signal.removeEventListener('abort', stop))
  try {
    await once(socket, 'connect', { signal: AbortSignal.any([signal, AbortSignal.timeout(connectMs)]) })
    return socket
  } catch (error) {
    socket.destroy()
    throw sftpError(error, connector, runMessage('connecting'), signal)
  }
}

/** Signs in over a connection. The server's key is checked before anything secret is sent. */
export async function openSftp(
  connector: BoundConnector,
  socket: Socket,
  signal: AbortSignal,
): Promise<SftpConnection> {
  const { user, host_key: wanted } = configOf(connector, 'sftp')
  const { password, private_key: key, passphrase } = connector.secrets
  const Client = await loadClient()
  const quiet = (): void => undefined // what happens to the connection is heard by `lost`
  if (socket.destroyed)
    throw sftpError(new ConnectionLost('the connection ended'), connector, runMessage('signing_in'), signal)
  const client = new Client('headgate', { error: quiet, end: quiet, close: quiet })
  let seen = ''
  client.on(
    'keyboard-interactive',
    (_name, _instructions, _language, prompts: unknown[], answer: (all: string[]) => void) =>
      answer(prompts.map(() => password ?? '')),
  )
  const lost = once(socket, 'close').then(() => Promise.reject(new ConnectionLost('the connection ended')))
  lost.catch(quiet)
  const given = { ...(password ? { password, tryKeyboard: true } : {}), ...(passphrase ? { passphrase } : {}) }
  try {
    const connecting = client.connect({
      sock: socket,
      username: user,
      ...given,
      ...(key ? { privateKey: key } : {}),
      hostVerifier: (shown: Buffer) => {
        seen = fingerprintOf(shown)
        return wanted === 'any' || seen === wanted.replace(/=$/, '')
      },
      readyTimeout: handshakeMs,
      keepaliveInterval: keepAliveMs,
      keepaliveCountMax: 3,
    })
    connecting.catch(quiet)
    const session = await Promise.race([connecting, lost])
    const ask: SftpConnection['ask'] = (work) =>
      Promise.race([
        new Promise<never>((resolve, reject) =>
          work(session, (error, value) => (error ? reject(error) : resolve(value as never))),
        ), // callbacks give what `T` says
        lost,
      ])
    return {
      session,
      fingerprint: seen,
      get open() {
        return !socket.destroyed
      },
      ask,
      close() {
        void client.end().catch(quiet)
        socket.destroySoon()
      },
    }
  } catch (error) {
    socket.destroy()
    if (seen !== '' && wanted !== 'any' && seen !== wanted.replace(/=$/, ''))
      throw otherKey(seen, wanted, connector, error)
    throw sftpError(error, connector, runMessage('signing_in'), signal)
  }
}

function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`
}

function otherKey(seen: string, wanted: string, connector: BoundConnector, cause: unknown): EngineError {
  const { host, port } = addressOf(connector)
  return new EngineError(
    'AUTHENTICATION_FAILED',
    runMessage('host_key_differs', { host, port, seen, connector: connector.name, known: wanted }),
    {
      hint: runMessage('host_key_differs_fix'),
      cause,
    },
  )
}
