import { msg } from '../../../contract/messages.ts'
import { type Socket, connect } from 'node:net'
import nodemailer from 'nodemailer'
import type { Static } from 'typebox'
import type { EmailConfig } from '../../../contract/notifications.ts'
import { titleOf } from './desktop-text.rules.ts'
import { html, plainText } from './mail-text.rules.ts'
import { guardedLookup, refuseWritten } from '../../platform/reachable-address.ts'
import type { Attempt } from './notifications.rules.ts'
import { whyNotSent } from './reasons.ts'
import type { Sending } from './send-webhook.ts'

/** Of each step of the conversation, and of all of it. */
const stepTimeoutMs = 10_000
const timeoutMs = 30_000

export async function sendMail({ delivery, config, secrets, signal }: Sending): Promise<Attempt> {
  // What was saved as this type's config.
  const mail = config as Static<typeof EmailConfig>
  const timeout = AbortSignal.timeout(timeoutMs)
  let socket: Socket | undefined
  const giveUp = () => socket?.destroy()
  const ended = AbortSignal.any([signal, timeout])
  ended.addEventListener('abort', giveUp, { once: true })
  try {
    socket = await connected(mail.host, mail.port, ended)
    const transport = nodemailer.createTransport({
      connection: socket,
      host: mail.host,
      port: mail.port,
      secure: mail.tls === 'implicit',
      // Without encryption where it was asked for, nothing is sent.
      requireTLS: mail.tls === 'starttls',
      ignoreTLS: mail.tls === 'none',
      ...(mail.user && { auth: { user: mail.user, pass: secrets['password'] ?? '' } }),
      greetingTimeout: stepTimeoutMs,
      socketTimeout: stepTimeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    const sent = await transport.sendMail({
      from: { name: 'Headgate', address: mail.from },
      to: mail.to.map((address) => ({ name: '', address })),
      subject: titleOf(delivery.content),
      text: plainText(delivery.content),
      html: html(delivery.content),
      // The same in every attempt, so that mailboxes can tell a repetition.
      messageId: `<${delivery.message_key}@headgate.invalid>`,
      date: new Date(delivery.content.occurred_at),
      headers: { 'X-Headgate-Event': delivery.content.event, 'X-Headgate-Delivery': String(delivery.id) },
    })
    const refused = sent.rejected
    return {
      kind: 'delivered',
      note: refused.length > 0 ? msg('mail_refused_for', { addresses: refused }) : null,
    }
  } catch (error) {
    signal.throwIfAborted()
    const reason = timeout.aborted ? msg('not_sent_within', { seconds: timeoutMs / 1000 }) : whyNotSent(error)
    return { kind: 'refused', reason, final: isFinal(error) }
  } finally {
    ended.removeEventListener('abort', giveUp)
    socket?.destroy()
  }
}

function connected(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    refuseWritten(host, true)
    const socket = connect({ host, port, autoSelectFamily: true, lookup: guardedLookup(true) })
    const abort = () => socket.destroy(new Error('Given up'))
    signal.addEventListener('abort', abort, { once: true })
    socket.setTimeout(stepTimeoutMs, () => socket.destroy(new Error('The mail server did not answer in time')))
    socket.once('error', reject).once('connect', () => {
      signal.removeEventListener('abort', abort)
      socket.setTimeout(0)
      resolve(socket)
    })
  })
}

/** 5xx is for good (RFC 5321); all else may pass. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const status = 'responseCode' in error ? Number(error.responseCode) : 0
  return status >= 500 && status < 600
}
