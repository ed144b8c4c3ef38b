/** What fits as the config and the secrets of a channel of each type; mistakes are told at their field. */
import { msg } from '../../../contract/messages.ts'
import { Compile } from 'typebox/schema'
import type { ErrorDetail } from '../../../contract/errors.ts'
import { DesktopConfig, EmailConfig, WebhookConfig, type notificationTypes } from '../../../contract/notifications.ts'
import { nearest } from '../../platform/nearest.ts'
import { type Places, originOf } from '../../platform/secret-places.ts'

type ChannelType = (typeof notificationTypes)[number]
type Config = Record<string, unknown>
type Secrets = Record<string, string>

const schemas = { webhook: WebhookConfig, email: EmailConfig, desktop: DesktopConfig }
const checks = {
  webhook: Compile(WebhookConfig),
  email: Compile(EmailConfig),
  desktop: Compile(DesktopConfig),
}
/** `authorization` is the value of that header; who knows a `url` of Slack or Teams may post there. Config is shown to everybody, secrets to nobody. */
const secretNames: Record<ChannelType, readonly string[]> = {
  webhook: ['signing_secret', 'authorization', 'url'],
  email: ['password'],
  desktop: [],
}

export function channelMistakes(type: ChannelType, config: Config, secrets: Secrets): ErrorDetail[] {
  const shape = shapeMistakes(type, config)
  if (shape.length > 0) return shape
  if (type === 'webhook') return [...addressMistakes(config, secrets), ...headerMistakes(config['headers'])]
  return type === 'email' ? emailMistakes(config, secrets) : []
}

export function secretMistakes(type: ChannelType, given: Secrets): ErrorDetail[] {
  const known = secretNames[type]
  return Object.entries(given).flatMap(([name, value]) => {
    const path = `body.secrets.${name}`
    if (!known.includes(name)) {
      return [
        {
          path,
          ...(known.length > 0
            ? msg('not_its_secret', { type, known: known.join(' and ') })
            : msg('no_secrets', { type })),
        },
      ]
    }
    if (name === 'authorization' && !headerValue.test(value)) return [{ path, ...msg('one_ascii_line') }]
    return /[\0\r\n]/.test(value) ? [{ path, ...msg('one_line') }] : []
  })
}

/** Where a channel sends its secrets. The address of a chat is a secret itself. */
export function placesOf(type: ChannelType, given: Config, secrets: Secrets): Places {
  const config = completed(type, given)
  if (type === 'webhook') return { url: originOf(config['url'] ?? secrets['url']) }
  return type === 'email' ? { host: config['host'], port: config['port'], tls: config['tls'] } : {}
}

/** With the defaults of the schema, so that what is shown is what is done. */
export const completed = (type: ChannelType, config: Config): Config =>
  type === 'email' ? { tls: 'starttls', ...config } : config

function shapeMistakes(type: ChannelType, config: Config): ErrorDetail[] {
  const [, errors] = checks[type].Errors(config)
  const known = Object.keys(schemas[type].properties)
  return errors.flatMap((error): ErrorDetail[] => {
    const { keyword, instancePath, params } = error
    const path = `body.config${placeOf(instancePath)}`
    if (keyword === 'additionalProperties' && 'additionalProperties' in params) {
      return listed(params.additionalProperties).map((name) => {
        const near = nearest(name, known)
        return { path: `${path}.${name}`, ...(near ? msg('field_unknown_near', { near }) : msg('field_unknown')) }
      })
    }
    if (keyword === 'required' && 'requiredProperties' in params) {
      return listed(params.requiredProperties).map((name) => ({ path: `${path}.${name}`, ...msg('field_missing') }))
    }
    // Of an unknown field the line above says more.
    if (keyword === 'boolean') return []
    if ('allowedValues' in params)
      return [{ path, ...msg('field_not_one_of', { allowed: listed(params.allowedValues) }) }]
    return [{ path, code: keyword, params: { ...params }, message: error.message }]
  })
}
const listed = (values: unknown): string[] => (Array.isArray(values) ? values.map(String) : [])
const placeOf = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join('')

function addressMistakes({ url: shown, format }: Config, { url: hidden }: Secrets): ErrorDetail[] {
  if (shown !== undefined && hidden !== undefined) return [{ path: 'body.secrets.url', ...msg('url_twice') }]
  if (hidden !== undefined) return urlMistakes('body.secrets.url', hidden)
  const path = 'body.config.url'
  if (shown === undefined) return [{ path, ...msg('url_missing') }]
  if (format === 'slack' || format === 'teams') return [{ path, ...msg('url_shown') }]
  return urlMistakes(path, typeof shown === 'string' ? shown : '')
}

function urlMistakes(path: string, text: string): ErrorDetail[] {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol)) return [{ path, ...msg('url_invalid') }]
  if (url.username || url.password) return [{ path, ...msg('url_credentials') }]
  return []
}

const headerValue = /^[\t\x20-\x7e]*$/
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const secretHeaders = /^(proxy-authorization|cookie)$/i
const ownHeaders =
  /^(host|connection|content-.*|transfer-encoding|te|trailer|upgrade|expect|keep-alive|user-agent|x-headgate-.*)$/i

function headerMistakes(headers: unknown): ErrorDetail[] {
  return Object.entries(headers ?? {}).flatMap(([name, value]): ErrorDetail[] => {
    const path = `body.config.headers.${name}`
    if (!token.test(name)) return [{ path, ...msg('header_name') }]
    if (/^authorization$/i.test(name)) return [{ path, ...msg('header_shown') }]
    if (secretHeaders.test(name)) return [{ path, ...msg('header_not_here') }]
    if (ownHeaders.test(name)) return [{ path, ...msg('header_ours') }]
    return typeof value === 'string' && headerValue.test(value) ? [] : [{ path, ...msg('one_ascii_line') }]
  })
}

/** No quoted local parts and no display names: whoever needs them is rarer than who has mistyped. */
const address = /^[^\s@<>()[\]\\,;:"\p{C}]+@[^\s@<>()[\]\\,;:"\p{C}]+$/u

function emailMistakes(config: Config, secrets: Secrets): ErrorDetail[] {
  // The shape has been checked: these are texts.
  const [from, to] = [config['from'] as string, config['to'] as string[]]
  const addresses = [['from', from] as const, ...to.map((one, at) => [`to[${at}]`, one] as const)]
  const details = addresses
    .filter(([, text]) => !address.test(text))
    .map(([place, text]) => ({
      path: `body.config.${place}`,
      ...msg('address_invalid', { given: text }),
    }))
  if (!/^[\p{L}\p{N}._:-]+$/u.test(String(config['host'])))
    details.push({ path: 'body.config.host', ...msg('mail_host') })
  if (config['user'] && !secrets['password']) details.push({ path: 'body.secrets.password', ...msg('mail_password') })
  return details
}
