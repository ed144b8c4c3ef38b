import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

const timeoutMs = 5000
/** PostgreSQL's SSLRequest: length 8, code 80877103. */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

/** Opens a connection to the server's port, or its socket when the host is a path. Throws what the system says. */
export async function reachTcp(host: string, port: number, signal: AbortSignal): Promise<void> {
  ;(await open(host, port, signal)).destroy()
}

/** Asks for TLS as PostgreSQL does it, and shakes hands. Throws when the server has none or its certificate is not accepted. */
export async function reachTls(host: string, port: number, verify: boolean, signal: AbortSignal): Promise<void> {
  const socket = await open(host, port, signal)
  try {
    await new Promise<void>((resolve, reject) => {
      const fail = (error: Error): void => reject(error)
      socket.once('error', fail)
      socket.once('timeout', () => fail(timedOut()))
      socket.once('close', () => fail(new Error('Connection terminated during the TLS handshake')))
      socket.once('data', (answer) => {
        if (answer.toString('latin1', 0, 1) !== 'S')
          return fail(new Error('The server does not support SSL connections'))
        const secure = connectTls({ socket, servername: host, rejectUnauthorized: verify }, resolve)
        secure.once('error', fail)
      })
      socket.write(sslRequest)
    })
  } finally {
    socket.destroy()
  }
}

function open(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = host.startsWith('/')
      ? connect({ path: `${host}/.s.PGSQL.${port}`, signal })
      : connect({ host, port, signal })
    socket.setTimeout(timeoutMs)
    socket.once('connect', () => resolve(socket))
    socket.once('timeout', () => socket.destroy(timedOut()))
    socket.once('error', reject)
  })
}

function timedOut(): Error {
  return Object.assign(new Error('The server did not answer in time'), { code: 'ETIMEDOUT' })
}
