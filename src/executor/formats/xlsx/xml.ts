/** What an XML document holds, in order. Names are without their prefixes. */
export interface XmlHandler {
  open(name: string, attributes: string): void
  text?(text: string): void
  close?(name: string): void
}

/** What is wrong with the XML itself. */
export class XmlError extends Error {}

/** A tag or a text that is longer than this is no workbook's: Excel's cells hold 32,767 characters. */
const longest = 16 * 1024 * 1024

/**
 * Reads a document as its bytes come; `between` is awaited after each piece, and says whether more is wanted. What is read to its end
 * must be closed element by element. Entities of its own are refused.
 */
export async function readXml(
  bytes: AsyncIterable<Uint8Array>,
  handler: XmlHandler,
  between?: () => Promise<boolean>,
): Promise<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const elements: Elements = { open: [], seen: false }
  let rest = ''
  for await (const chunk of bytes) {
    rest = take(rest + decoder.decode(chunk, { stream: true }), handler, elements)
    if (rest.length > longest) throw new XmlError('a tag or a text is not closed')
    if (between && !(await between())) return
  }
  rest = take(rest + decoder.decode(), handler, elements)
  if (rest.trim() !== '') throw new XmlError('it ends within a tag')
  const last = elements.open.at(-1)
  if (last !== undefined) throw new XmlError(`it ends before its \`${last}\` does`)
  if (!elements.seen) throw new XmlError('a part of it is empty')
  await between?.()
}

interface Elements {
  /** From the outermost to the innermost. */
  open: string[]
  /** There was one. */
  seen: boolean
}

/** What could not be read yet. */
function take(xml: string, handler: XmlHandler, elements: Elements): string {
  let at = 0
  for (;;) {
    const start = xml.indexOf('<', at)
    if (start === -1) return xml.slice(at)
    const end = tagEnd(xml, start)
    if (end === -1) return xml.slice(at)
    if (start > at) handler.text?.(unescapeXml(xml.slice(at, start)))
    at = end
    const second = xml[start + 1]
    if (second === '/') closed(localName(xml.slice(start + 2, end - 1).trimEnd()), handler, elements)
    else if (second === '!') special(xml, start, end, handler)
    else if (second !== '?') element(xml.slice(start + 1, end - 1), handler, elements)
  }
}

/** Behind the tag that begins at `start`; -1: its end has not come yet. */
function tagEnd(xml: string, start: number): number {
  const closing = (mark: string, from: number): number => {
    const found = xml.indexOf(mark, from)
    return found === -1 ? -1 : found + mark.length
  }
  if (xml.startsWith('<!--', start)) return closing('-->', start + 4)
  if (xml.startsWith('<![CDATA[', start)) return closing(']]>', start + 9)
  if (xml.startsWith('<?', start)) return closing('?>', start + 2)
  if (xml.startsWith('<!', start) && xml.length - start < 9) return -1
  const first = xml.indexOf('>', start)
  if (first === -1) return -1
  if (isWhole(xml.slice(start, first))) return first + 1
  let quote = ''
  for (let at = start + 1; at < xml.length; at++) {
    const character = xml[at]
    if (quote === '' && character === '>') return at + 1
    if (quote === '' && (character === '"' || character === "'")) quote = character
    else if (character === quote) quote = ''
  }
  return -1
}

/** Attributes may hold `>`: as long as all quotes are closed, this was none of them. */
function isWhole(tag: string): boolean {
  if (tag.includes("'")) return false
  let quotes = 0
  for (let at = tag.indexOf('"'); at !== -1; at = tag.indexOf('"', at + 1)) quotes++
  return quotes % 2 === 0
}

function special(xml: string, start: number, end: number, handler: XmlHandler): void {
  if (xml.startsWith('<![CDATA[', start)) handler.text?.(xml.slice(start + 9, end - 3))
  else if (!xml.startsWith('<!--', start)) throw new XmlError('it declares a document type, which workbooks do not')
}

function closed(name: string, handler: XmlHandler, { open }: Elements): void {
  const last = open.pop()
  if (last !== name) throw new XmlError(`\`${name.slice(0, 40)}\` ends where \`${last ?? 'nothing'}\` is open`)
  handler.close?.(name)
}

function element(tag: string, handler: XmlHandler, elements: Elements): void {
  const empty = tag.endsWith('/')
  const body = empty ? tag.slice(0, -1) : tag
  const space = body.search(/\s/)
  const name = localName(space === -1 ? body : body.slice(0, space))
  handler.open(name, space === -1 ? '' : body.slice(space))
  if (empty) handler.close?.(name)
  else elements.open.push(name)
  elements.seen = true
}

function localName(name: string): string {
  const colon = name.indexOf(':')
  return colon === -1 ? name : name.slice(colon + 1)
}

const patterns = new Map<string, RegExp>()

/** An attribute's value. `*:id` is one with whatever prefix. */
export function attribute(attributes: string, name: string): string | undefined {
  const key = ` ${name}="`
  const start = attributes.indexOf(key)
  if (start !== -1) {
    const from = start + key.length
    return unescapeXml(attributes.slice(from, attributes.indexOf('"', from)))
  }
  // The other ways to write it are rare, as is that it is not there at all.
  if (!attributes.includes(name.replace('*', ''))) return undefined
  let pattern = patterns.get(name)
  if (!pattern) {
    pattern = new RegExp(`\\s${name.replace('*:', '[\\w.-]+:')}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
    patterns.set(name, pattern)
  }
  const found = pattern.exec(attributes)
  const value = found?.[1] ?? found?.[2]
  return value === undefined ? undefined : unescapeXml(value)
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

export function unescapeXml(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(#x[0-9A-Fa-f]{1,6}|#\d{1,7}|[A-Za-z]+);/g, (whole, name: string) => {
    if (!name.startsWith('#')) return entities[name] ?? whole
    const code = name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
  })
}
