import { EngineError } from '../../engine/errors.ts'
import { runMessage } from '../../../contract/run-messages.ts'
import type { Message } from '../../../language/message.ts'

/** One request on its way through redirects. */
export interface Hop {
  url: URL
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  body: string | null
  /** Credentials and the connector's own headers go along: only to the origin that the request was meant for. */
  trusted: boolean
}

const redirects = new Set([301, 302, 303, 307, 308])

/** Where an answer sends us; null: nowhere. Reading follows; what changes something is sent on only where that is certain to be meant. */
export function nextHop(
  hop: Hop,
  answer: { status: number; headers: Record<string, string>; what: string },
  shown: (url: URL) => string,
): Hop | null {
  const location = answer.headers['location']
  if (!redirects.has(answer.status) || location === undefined) return null
  const url = URL.parse(location, hop.url.href)
  const refuse = (why: Message, hint: Message): never => {
    throw new EngineError(
      'RESPONSE_INVALID',
      runMessage('redirect_refused', { what: answer.what, http_status: answer.status, why }),
      { hint },
    )
  }
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return refuse(runMessage('to_no_web_address', { location: location.slice(0, 200) }), runMessage('check_path'))
  }
  url.hash = ''
  url.username = ''
  url.password = ''
  if (hop.url.protocol === 'https:' && url.protocol === 'http:') {
    return refuse(runMessage('from_https_to', { url: shown(url) }), runMessage('no_unencrypted'))
  }
  const sameOrigin = url.origin === hop.url.origin
  // See other: the request was taken, its result is there.
  if (answer.status === 303) return { url, method: 'GET', body: null, trusted: hop.trusted && sameOrigin }
  const changes = hop.method !== 'GET'
  if (changes && (answer.status === 301 || answer.status === 302 || !sameOrigin)) {
    return refuse(runMessage('changes_not_redirected', { url: shown(url) }), runMessage('write_final_address'))
  }
  return { ...hop, url, trusted: hop.trusted && sameOrigin }
}
