import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request as overHttp } from 'node:http'
import { request as overTls } from 'node:https'
import { guardedLookup, refuseWritten } from './reachable-address.ts'

const mostOfAnswer = 64 * 1024

interface Posted {
  status: number
  headers: IncomingHttpHeaders
  /** Its beginning. */
  text: string
}

/**
 * Posts to a receiver that an administrator has named. It may be in the local network, but is nowhere where clouds give out credentials.
 * Redirects are not followed: what is signed goes where it was meant to go. A connection of its own: nothing is kept open to receivers.
 */
export function post(url: URL, body: string, headers: OutgoingHttpHeaders, signal: AbortSignal): Promise<Posted> {
  const send = url.protocol === 'https:' ? overTls : overHttp
  return new Promise((resolve, reject) => {
    refuseWritten(url.hostname, true)
    const request = send(
      url,
      {
        method: 'POST',
        headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
        signal,
        agent: false,
        lookup: guardedLookup(true),
      },
      (answer) => {
        // The status is what counts; the rest is read so that the other side can finish, within reason.
        const chunks: Buffer[] = []
        let read = 0
        const finish = () => {
          request.destroy()
          const text = Buffer.concat(chunks).toString()
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text })
        }
        answer.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          read += chunk.length
          if (read > mostOfAnswer) finish()
        })
        answer.on('end', finish).on('error', finish)
      },
    )
    request.on('error', reject).end(body)
  })
}
