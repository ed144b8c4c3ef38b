export const LINK_SCHEME = 'headgate'

const MAX_LENGTH = 2048
/** What names in the app's paths are made of; no `@` and `:`, by which a link could look like one to a host. */
const SEGMENT = /^(?:[A-Za-z0-9._~-]|%[0-9A-Fa-f]{2})+$/
const REST = /^(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*$/

/** What `setAsDefaultProtocolClient` takes, or null where this app cannot be found by its path. */
export function schemeRegistration(about: {
  platform: NodeJS.Platform
  isPackaged: boolean
  execPath: string
  appPath: string
}): [scheme: string, path: string, args: string[]] | null {
  // There a .desktop file says it, which an installed app has.
  if (about.platform === 'linux' && !about.isPackaged) return null
  // After `--` a link cannot be taken for a switch.
  return [LINK_SCHEME, about.execPath, about.isPackaged ? ['--'] : [about.appPath, '--']]
}

export function isLink(text: string): boolean {
  return text.toLowerCase().startsWith(`${LINK_SCHEME}:`)
}

/**
 * The path of the app that a link leads to: `headgate://runs/17` and `headgate:///runs/17` to `/runs/17`. Null for what is
 * no such link. Links come from anywhere, so that only plain ones count; following one is going there, and nothing else.
 */
export function pathOfLink(link: string): string | null {
  if (link.length > MAX_LENGTH) return null
  const [, way, query = '', hash = ''] = /^headgate:\/\/\/?([^?#/][^?#]*|)(\?[^#]*)?(#.*)?$/i.exec(link) ?? []
  if (way === undefined || !isSafe(query.slice(1)) || !isSafe(hash.slice(1))) return null
  // Browsers put a slash behind what they take for a host.
  const segments = way === '' ? [] : way.replace(/\/$/, '').split('/')
  if (!segments.every(isSegment) || isServers(segments[0])) return null
  return `/${segments.join('/')}${query}${hash}`
}

/** The server's own, however its letters are written. */
const isServers = (first = ''): boolean => decoded(first)?.toLowerCase() === 'api'

function isSegment(text: string): boolean {
  if (!SEGMENT.test(text)) return false
  const meant = decoded(text)
  return meant !== null && !/[/\\%]/.test(meant) && meant !== '.' && meant !== '..'
}

function isSafe(text: string): boolean {
  return REST.test(text) && decoded(text) !== null
}

/** Null where the bytes are no text, or one with control characters. */
function decoded(text: string): string | null {
  try {
    const meant = decodeURIComponent(text)
    return /\p{Cc}/u.test(meant) ? null : meant
  } catch {
    return null
  }
}
