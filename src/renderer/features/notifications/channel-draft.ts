/** What the form of a notification channel holds, and what it sends. Pure. */
import type { Notification, notificationTypes, notifyEvents } from '../../../contract/notifications.ts'

export type ChannelType = (typeof notificationTypes)[number]
export type ChannelEvent = (typeof notifyEvents)[number]
export type MailTls = 'none' | 'starttls' | 'implicit'

export interface ChannelDraft {
  name: string
  type: ChannelType
  url: string
  secret: string
  host: string
  port: number | string
  tls: MailTls
  user: string
  password: string
  from: string
  to: string
  on: ChannelEvent[]
  jobIds: string[]
  enabled: boolean
}

const blank: ChannelDraft = {
  name: '',
  type: 'desktop',
  url: '',
  secret: '',
  host: '',
  port: 587,
  tls: 'starttls',
  user: '',
  password: '',
  from: '',
  to: '',
  on: ['failed', 'recovered'],
  jobIds: [],
  enabled: true,
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

export function draftOf(channel: Notification | null): ChannelDraft {
  if (!channel) return blank
  const { config } = channel
  const tls = config['tls']
  return {
    ...blank,
    name: channel.name,
    type: channel.type,
    url: textOf(config['url']),
    host: textOf(config['host']),
    port: typeof config['port'] === 'number' ? config['port'] : blank.port,
    tls: tls === 'none' || tls === 'implicit' ? tls : 'starttls',
    user: textOf(config['user']),
    from: textOf(config['from']),
    to: Array.isArray(config['to']) ? config['to'].map(textOf).join(', ') : '',
    on: channel.on,
    jobIds: (channel.job_ids ?? []).map(String),
    enabled: channel.enabled === 1,
  }
}

const addresses = (text: string) =>
  text
    .split(/[,;\s]+/)
    .map((part) => part.trim())
    .filter(Boolean)

function configOf(draft: ChannelDraft, before: Notification | null) {
  if (draft.type === 'webhook') {
    // Headers are set over the interface; the form leaves them as they are.
    const headers = before?.config['headers'] as Record<string, string> | undefined
    return { url: draft.url.trim(), ...(headers ? { headers } : {}) }
  }
  if (draft.type === 'desktop') return {}
  const user = draft.user.trim()
  return {
    host: draft.host.trim(),
    port: Number(draft.port),
    tls: draft.tls,
    ...(user ? { user } : {}),
    from: draft.from.trim(),
    to: addresses(draft.to),
  }
}

/** The body of a creation or change. A secret that was left empty stays as it is. */
export function bodyOf(draft: ChannelDraft, before: Notification | null) {
  const secret = draft.type === 'webhook' ? draft.secret : draft.type === 'email' ? draft.password : ''
  const key = draft.type === 'webhook' ? 'signing_secret' : 'password'
  return {
    name: draft.name.trim(),
    config: configOf(draft, before),
    ...(secret ? { secrets: { [key]: secret } } : {}),
    on: draft.on,
    job_ids: draft.jobIds.length > 0 ? draft.jobIds.map(Number) : null,
    enabled: draft.enabled,
  }
}

/** Fields that still have to be filled in. */
export function missing(draft: ChannelDraft): (keyof ChannelDraft)[] {
  const wanted: Record<ChannelType, (keyof ChannelDraft)[]> = {
    webhook: ['name', 'url'],
    email: ['name', 'host', 'port', 'from', 'to'],
    desktop: ['name'],
  }
  return wanted[draft.type].filter((field) => String(draft[field]).trim() === '')
}

const looks = { pending: 'pending', delivered: 'success', failed: 'failed' } as const

/** A channel tells of its last delivery in a text of its own. */
export const deliveryState = (text: string): keyof typeof looks =>
  text === 'delivered' || text === 'failed' ? text : 'pending'
export const deliveryLook = (text: string) => looks[deliveryState(text)]

/** Where a channel leads, in short. */
export function destinationOf({ type, config }: Notification): string | null {
  if (type === 'webhook') return textOf(config['url'])
  if (type === 'email') return Array.isArray(config['to']) ? config['to'].map(textOf).join(', ') : ''
  return null
}
