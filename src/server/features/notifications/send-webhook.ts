import { msg } from '../../../contract/messages.ts'
import type { Static } from 'typebox'
import type { WebhookConfig } from '../../../contract/notifications.ts'
import { post } from '../../platform/post.ts'
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

/** Posts the notification. Redirects are not followed: what is signed goes where it was meant to go. */
export async function sendWebhook({ delivery, config, secrets, now, version, signal }: Sending): Promise<Attempt> {
  // What was saved as this type's config.
  const { format = 'headgate', headers, ...given } = config as Static<typeof WebhookConfig>
  const { signing_secret, authorization, url = given.url ?? '' } = secrets
  const body = JSON.stringify(bodies[format](delivery.content, delivery.id))
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const answer = await post(
      new URL(url),
      body,
      {
        ...headers,
        'content-type': 'application/json; charset=utf-8',
        'user-agent': `Headgate/${version}`,
        'x-headgate-event': delivery.content.event,
        'x-headgate-delivery': String(delivery.id),
        ...(signing_secret && { 'x-headgate-signature': signatureOf(signing_secret, body, now) }),
        ...(authorization && { authorization }),
      },
      AbortSignal.any([signal, timeout]),
    )
    return judged(answer.status, answer.headers['retry-after'], now)
  } catch (error) {
    signal.throwIfAborted()
    const reason = timeout.aborted ? msg('no_answer_within', { seconds: timeoutMs / 1000 }) : whyNotSent(error)
    return { kind: 'refused', reason, final: false }
  }
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
