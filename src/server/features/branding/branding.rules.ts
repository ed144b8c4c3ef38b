/**
 * What a control plane may show of itself. The logo may be an SVG: it is shown through <img> and as the tab's icon alone, where
 * browsers run no script and load nothing from elsewhere, and the policy of our pages forbids both once more. What could keep a
 * browser busy or act when the picture is opened by itself (entities, scripts, foreign content) is refused nevertheless.
 */
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
  const checks: [keyof BrandingChange, (value: string) => string | undefined][] = [
    ['product_name', nameMistake],
    ['logo_data_url', logoMistake],
    ['login_message', messageMistake],
    ['support_url', linkMistake],
  ]
  return checks.flatMap(([field, check]) => {
    const value = change[field]
    const message = value === undefined || value === null ? undefined : check(value)
    return message === undefined ? [] : [{ path: `body.${field}`, message }]
  })
}

const half = 'must not hold half a character (a lone surrogate)'

function nameMistake(name: string): string | undefined {
  if (!name.isWellFormed()) return half
  if (/\p{Cc}/u.test(name)) return 'must not hold control characters'
  return name.trim() === name && name !== '' ? undefined : 'must not be empty, nor begin or end with spaces'
}

function messageMistake(text: string): string | undefined {
  if (!text.isWellFormed()) return half
  return /[^\P{Cc}\n\r\t]/u.test(text) ? 'must not hold control characters other than line breaks and tabs' : undefined
}

function linkMistake(link: string): string | undefined {
  const message = 'must be an address that begins with https://, http:// or mailto:'
  if (!/^(https?:\/\/|mailto:)[\x21-\x7e]+$/i.test(link) || !URL.canParse(link)) return message
  const { username, password, protocol, hostname, pathname } = new URL(link)
  if (protocol === 'mailto:') return pathname.includes('@') ? undefined : 'must name somebody: mailto:help@example.com'
  if (hostname === '') return message
  return username || password ? 'must not hold a user name or password: everybody sees it' : undefined
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

function logoMistake(url: string): string | undefined {
  const [, type = '', base64 = ''] =
    /^data:image\/(png|jpeg|webp|svg\+xml);base64,([A-Za-z0-9+/]+={0,2})$/.exec(url) ?? []
  const kind = kinds[type]
  if (!kind) return 'must be a data: URL of a picture: data:image/png;base64,… (or jpeg, webp, svg+xml)'
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.toString('base64') !== base64) return 'is not valid base64'
  if (bytes.length > maxLogoBytes) return `is ${Math.ceil(bytes.length / 1024)} KiB large: at most 256 KiB are taken`
  if (!kind.is(bytes)) return `says that it is a ${kind.name} picture, but its content is not`
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

function svgMistake(text: string): string | undefined {
  const found = refused.find(([pattern]) => pattern.test(text))
  return found && `is an SVG that holds ${found[1]}: export it as a plain picture`
}
