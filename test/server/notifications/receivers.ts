import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface Received {
  path: string
  headers: Record<string, string | string[] | undefined>
  body: string
}
type Reply = { status: number; headers?: Record<string, string>; body?: string } | 'silence' | 'hang up'

/** A web server that answers as it is told and keeps what it was sent. */
export interface HookReceiver {
  url: string
  received: Received[]
  /** What is sent, as JSON. */
  bodies(): Record<string, unknown>[]
  /** Answers in turn; the last one stays. */
  reply(...replies: Reply[]): void
  close(): Promise<void>
}

export async function startHookReceiver(port = 0): Promise<HookReceiver> {
  const received: Received[] = []
  let replies: Reply[] = [{ status: 204 }]
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({ path: request.url!, headers: request.headers, body: Buffer.concat(chunks).toString() })
      const reply = replies.length > 1 ? replies.shift()! : replies[0]!
      if (reply === 'hang up') request.socket.destroy()
      else if (reply !== 'silence') response.writeHead(reply.status, reply.headers).end(reply.body)
    })
  })
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
  return {
    // Listening on TCP, so it has a port.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/headgate`,
    received,
    bodies: () => received.map(({ body }) => JSON.parse(body) as Record<string, unknown>),
    reply: (...given) => void (replies = given),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export interface Mail {
  from: string
  to: string[]
  secure: boolean
  user: string | undefined
  text: string
}
export interface MailServer {
  port: number
  mails: Mail[]
  close(): Promise<void>
}

/** A mail server that keeps what it was sent. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: Mail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    onAuth: ({ username, password }, _session, done) =>
      password === 'right' ? done(null, { user: username }) : done(new Error('Wrong password')),
    onData(stream, { envelope, secure, user }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = envelope
        mails.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          secure,
          user,
          text: Buffer.concat(chunks).toString(),
        })
        done()
      })
    },
    ...options,
  })
  // Whoever is refused hears why; the server itself goes on.
  server.on('error', () => {})
  const listening = await new Promise<{ address(): unknown }>((resolve) => {
    const socket = server.listen(0, '127.0.0.1', () => resolve(socket))
  })
  return {
    port: (listening.address() as AddressInfo).port,
    mails,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}
