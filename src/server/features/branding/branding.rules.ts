/**
 * What a control plane may show of itself. The logo may be an SVG: it is shown through <img> and as the tab's icon alone, where
 * browsers run no script and load nothing from elsewhere, and the policy of our pages forbids both once more. What could keep a
 * browser busy or act when the picture is opened by itself (entities, scripts, foreign content) is refused nevertheless.
 */
import { type Message, msg } from '../../../contract/messages.ts'
import type { ErrorDetail } from '../../../contract/errors.ts'

export interface BrandingChange {
  product_name?: string | null
  logo_data_url?: string | null
  primary_color?: string | null
  login_message?: string | null
  support_url?: string | null
}

export const maxLogoBytes = 256 * 1024

/** Every mistake of a change, at its place. */
export function brandingMistakes(change: BrandingChange): ErrorDetail[] {
  const checks: [keyof BrandingChange, (value: string) => Message | undefined][] = [
    ['product_name', nameMistake],
    ['logo_data_url', logoMistake],
    ['login_message', messageMistake],
    ['support_url', linkMistake],
  ]
  return checks.flatMap(([field, check]) => {
    const value = change[field]
    const reason = value === undefined || value === null ? undefined : check(value)
    return reason === undefined ? [] : [{ path: `body.${field}`, ...reason }]
  })
}

const half = msg('half_character')

function nameMistake(name: string): Message | undefined {
  if (!name.isWellFormed()) return half
  if (/\p{Cc}/u.test(name)) return msg('control_characters')
  return name.trim() === name && name !== '' ? undefined : msg('branding_name')
}

function messageMistake(text: string): Message | undefined {
  if (!text.isWellFormed()) return half
  return /[^\P{Cc}\n\r\t]/u.test(text) ? msg('branding_message') : undefined
}

function linkMistake(link: string): Message | undefined {
  const message = msg('branding_link')
  if (!/^(https?:\/\/|mailto:)[\x21-\x7e]+$/i.test(link) || !URL.canParse(link)) return message
  const { username, password, protocol, hostname, pathname } = new URL(link)
  if (protocol === 'mailto:') return pathname.includes('@') ? undefined : msg('branding_mailto')
  if (hostname === '') return message
  return username || password ? msg('branding_credentials') : undefined
}

const kinds: Record<string, { name: string; is: (bytes: Buffer) => boolean }> = {
  png: { name: 'PNG', is: (bytes) => startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) },
  jpeg: { name: 'JPEG', is: (bytes) => startsWith(bytes, [0xff, 0xd8, 0xff]) },
  webp: {
    name: 'WebP',
    is: (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
  },
  'svg+xml': {
    name: 'SVG',
    is: (bytes) => /^\uFEFF?\s*(<\?xml[^>]*>\s*)?(<!--[^]*?-->\s*)*<svg[\s>]/.test(bytes.toString()),
  },
}

function startsWith(bytes: Buffer, magic: readonly number[]): boolean {
  return magic.every((byte, index) => bytes[index] === byte)
}

function logoMistake(url: string): Message | undefined {
  const [, type = '', base64 = ''] =
    /^data:image\/(png|jpeg|webp|svg\+xml);base64,([A-Za-z0-9+/]+={0,2})$/.exec(url) ?? []
  const kind = kinds[type]
  if (!kind) return msg('logo_url')
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.toString('base64') !== base64) return msg('logo_base64')
  if (bytes.length > maxLogoBytes) return msg('logo_large', { kib: Math.ceil(bytes.length / 1024) })
  if (!kind.is(bytes)) return msg('logo_content', { kind: kind.name })
  return type === 'svg+xml' ? svgMistake(bytes.toString()) : undefined
}

const refused: [RegExp, string][] = [
  [/<!(DOCTYPE|ENTITY)/i, 'a DOCTYPE or entities'],
  [/<\s*([\w-]+:)?script/i, 'a script'],
  [/<\s*([\w-]+:)?(foreignObject|iframe|object|embed)/i, 'content of another kind (foreignObject)'],
  [/[\s"'/]on[a-z]+\s*=/i, 'an event handler'],
  [/\b(href|src)\s*=\s*["']?\s*(?!["'#\s]|data:image\/(png|jpeg|webp))/i, 'a reference to something outside of it'],
  [/url\(\s*["']?\s*(?![#"'\s])|@import/i, 'a reference to something outside of it'],
]

function svgMistake(text: string): Message | undefined {
  const found = refused.find(([pattern]) => pattern.test(text))
  return found && msg('logo_svg', { part: found[1] })
}
