import { EngineError } from '../../engine/errors.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/*
 * The `Link` header of RFC 8288, section 3. The parsers on npm either lose links behind a parameter without a value (`nopush`) or do not
 * take escaped quotes and `title*`; a link that is lost would end the pages early.
 */

const parameter = /;\s*(?:([^\s=;,"<>]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",;]*))\s*)?)?/y
const target = /[\s,]*<([^>]*)>\s*/y

/** The target of the first link with `rel="next"`, as it stands there; null: there is none. Throws where the header cannot be read. */
export function nextLink(header: string, what: string): string | null {
  const found: string[] = []
  for (let at = 0; at < header.length;) {
    const [link, uri = ''] = matchAt(target, header, at) ?? []
    if (link === undefined) {
      if (/^[\s,]*$/.test(header.slice(at))) break
      throw unreadable(header.slice(at), what)
    }
    at += link.length
    let rel: string | null = null
    for (let found = matchAt(parameter, header, at); found; found = matchAt(parameter, header, at)) {
      const [text, name = '', quoted, plain = ''] = found
      at += text.length
      // The first one counts.
      if (name.toLowerCase() === 'rel') rel ??= quoted?.replace(/\\(.)/g, '$1') ?? plain
    }
    if (at < header.length && header[at] !== ',') throw unreadable(header.slice(at), what)
    if (rel?.toLowerCase().split(/\s+/).includes('next')) found.push(uri)
  }
  return found[0] ?? null
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

function unreadable(rest: string, what: string): EngineError {
  return new EngineError('PAGES_INVALID', runMessage('link_header_unreadable', { what, rest: rest.slice(0, 100) }), {
    hint: runMessage('link_header_unreadable_fix'),
  })
}
