/** What the form of a notification channel holds, and what it sends. Pure. */
import type { Notification, notificationTypes, channelEvents, webhookFormats } from '../../../contract/notifications.ts'

export type ChannelType = (typeof notificationTypes)[number]
export type ChannelEvent = (typeof channelEvents)[number]
export type WebhookFormat = (typeof webhookFormats)[number]
export type MailTls = 'none' | 'starttls' | 'implicit'

export interface ChannelDraft {
  name: string
  type: ChannelType
  format: WebhookFormat
  url: string
  /** The address where it is a secret: Slack, Teams. */
  secretUrl: string
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
  format: 'headgate',
  url: '',
  secretUrl: '',
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
    format: formatOf(channel),
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

/** Chats take the address as a secret, and no signature. */
export const isChat = (format: WebhookFormat) => format !== 'headgate'

function formatOf({ config }: Notification): WebhookFormat {
  const { format } = config
  return format === 'slack' || format === 'teams' ? format : 'headgate'
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
    const others = headers ? { headers } : {}
    if (isChat(draft.format)) return { format: draft.format, ...others }
    return { ...(draft.url.trim() === '' ? {} : { url: draft.url.trim() }), ...others }
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

function secretsOf(draft: ChannelDraft, before: Notification | null): { secrets?: Record<string, string> } {
  const given: [string, string][] = []
  if (draft.type === 'email') given.push(['password', draft.password])
  if (draft.type === 'webhook' && isChat(draft.format)) given.push(['url', draft.secretUrl.trim()])
  if (draft.type === 'webhook' && !isChat(draft.format)) given.push(['signing_secret', draft.secret])
  const secrets = Object.fromEntries(given.filter(([, value]) => value !== ''))
  // An address of a chat is no address of another format.
  const leaves =
    before?.secrets['url']?.set && draft.type === 'webhook' && !isChat(draft.format) && draft.url.trim() !== ''
  const all = leaves ? { ...secrets, url: '' } : secrets
  return Object.keys(all).length > 0 ? { secrets: all } : {}
}

/** The body of a creation or change. A secret that was left empty stays as it is. */
export function bodyOf(draft: ChannelDraft, before: Notification | null) {
  return {
    name: draft.name.trim(),
    config: configOf(draft, before),
    ...secretsOf(draft, before),
    on: draft.on,
    job_ids: draft.jobIds.length > 0 ? draft.jobIds.map(Number) : null,
    enabled: draft.enabled,
  }
}

/** Fields that still have to be filled in. */
export function missing(draft: ChannelDraft, before: Notification | null): (keyof ChannelDraft)[] {
  const wanted: Record<ChannelType, (keyof ChannelDraft)[]> = {
    webhook: [
      'name',
      ...(before?.secrets['url']?.set ? [] : [isChat(draft.format) ? ('secretUrl' as const) : ('url' as const)]),
    ],
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

/** Names of products, in every language. */
export const chatNames: Record<WebhookFormat, string> = { headgate: '', slack: 'Slack', teams: 'Microsoft Teams' }

/** Where a channel leads, in short. */
export function destinationOf(channel: Notification): string | null {
  const { type, config } = channel
  if (type === 'webhook') return textOf(config['url']) || chatNames[formatOf(channel)]
  if (type === 'email') return Array.isArray(config['to']) ? config['to'].map(textOf).join(', ') : ''
  return null
}
