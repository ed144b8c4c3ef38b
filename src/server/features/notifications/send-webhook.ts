import { msg } from '../../../contract/messages.ts'
import type { IncomingMessage } from 'node:http'
import { request as overHttp } from 'node:http'
import { request as overTls } from 'node:https'
import type { Static } from 'typebox'
import type { WebhookConfig } from '../../../contract/notifications.ts'
import { guardedLookup, refuseWritten } from '../../platform/reachable-address.ts'
import type { DeliveryRow } from './notifications.table.ts'
import type { Attempt } from './notifications.rules.ts'
import { whyNotSent } from './reasons.ts'
import { bodies } from './webhook-bodies.rules.ts'
import { signatureOf } from './webhook-signature.rules.ts'

export interface Sending {
  delivery: Pick<DeliveryRow, 'id' | 'content' | 'message_key'>
  config: Record<string, unknown>
  secrets: Record<string, string>
  now: Date
  /** Of the product. */
  version: string
  /** Aborted when the server ends. */
  signal: AbortSignal
}

const timeoutMs = 10_000
const mostOfAnswer = 64 * 1024

/** Posts the notification. Redirects are not followed: what is signed goes where it was meant to go. */
export async function sendWebhook({ delivery, config, secrets, now, version, signal }: Sending): Promise<Attempt> {
  // What was saved as this type's config.
  const { format = 'headgate', headers, ...given } = config as Static<typeof WebhookConfig>
  const { signing_secret, authorization, url = given.url ?? '' } = secrets
  const body = JSON.stringify(bodies[format](delivery.content, delivery.id))
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const answer = await post(new URL(url), body, AbortSignal.any([signal, timeout]), {
      ...headers,
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': `Headgate/${version}`,
      'x-headgate-event': delivery.content.event,
      'x-headgate-delivery': String(delivery.id),
      ...(signing_secret && { 'x-headgate-signature': signatureOf(signing_secret, body, now) }),
      ...(authorization && { authorization }),
    })
    return judged(answer.statusCode ?? 0, answer.headers['retry-after'], now)
  } catch (error) {
    signal.throwIfAborted()
    const reason = timeout.aborted ? msg('no_answer_within', { seconds: timeoutMs / 1000 }) : whyNotSent(error)
    return { kind: 'refused', reason, final: false }
  }
}

/** A connection of its own: nothing is kept open to receivers between deliveries. */
function post(url: URL, body: string, signal: AbortSignal, headers: Record<string, string>): Promise<IncomingMessage> {
  const send = url.protocol === 'https:' ? overTls : overHttp
  return new Promise((resolve, reject) => {
    // Receivers may be in the local network, but are nowhere where clouds give out credentials.
    refuseWritten(url.hostname, true)
    const request = send(
      url,
      { method: 'POST', headers, signal, agent: false, lookup: guardedLookup(true) },
      (answer) => {
        // The status is all that counts; the rest is read so that the other side can finish, within reason.
        let read = 0
        const finish = () => {
          request.destroy()
          resolve(answer)
        }
        answer.on('data', (chunk: Buffer) => {
          read += chunk.length
          if (read > mostOfAnswer) finish()
        })
        answer.on('end', finish).on('error', finish)
      },
    )
    request.on('error', reject).end(body)
  })
}

function judged(status: number, retryAfter: string | undefined, now: Date): Attempt {
  if (status >= 200 && status < 300) return { kind: 'delivered', note: null }
  return {
    kind: 'refused',
    reason: msg(status >= 300 && status < 400 ? 'receiver_redirected' : 'receiver_answered', { status }),
    final: status >= 400 && status < 500 && status !== 408 && status !== 429,
    ...delayOf(retryAfter, now),
  }
}

/** Seconds, or a date. */
function delayOf(retryAfter: string | undefined, now: Date): { retryAfterMs?: number } {
  if (retryAfter === undefined) return {}
  const ms = /^\d+$/.test(retryAfter.trim()) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now.getTime()
  return Number.isFinite(ms) && ms > 0 ? { retryAfterMs: ms } : {}
}
