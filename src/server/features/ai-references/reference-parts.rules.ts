/** How the text of a reference is cut into parts, and which words of a prompt they are searched for. Pure. */
import type { ReferenceKind } from '../../../contract/ai-references.ts'

export interface Part {
  /** Headings above it, outermost first; empty where there are none. */
  heading: string
  text: string
}

/** A reference of at most so many characters is used completely. */
export const SHORT = 4_000
/** Characters of one part. */
const MOST = 2_000
/** Words of a prompt that are searched for. */
const MOST_WORDS = 32

export function partsOf(kind: ReferenceKind, content: string): Part[] {
  const text = content.replaceAll(/\r\n?/g, '\n')
  const sections =
    kind === 'markdown' ? markdownSections(text) : kind === 'schema' ? schemaSections(text) : [plain(text)]
  return sections.flatMap(({ heading, text: body }) => pieces(body).map((piece) => ({ heading, text: piece })))
}

const plain = (text: string): Part => ({ heading: '', text })

function markdownSections(text: string): Part[] {
  const sections: Part[] = []
  const headings: string[] = []
  let lines: string[] = []
  let fence = ''
  const end = () => {
    if (lines.some((line) => line.trim() !== ''))
      sections.push({ heading: headings.filter(Boolean).join(' › '), text: lines.join('\n') })
    lines = []
  }
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark && (fence === '' || mark.startsWith(fence))) fence = fence === '' ? mark : ''
    const found = fence === '' ? /^ {0,3}(#{1,6})\s+(.*?)(?:\s+#+)?\s*$/.exec(line) : null
    if (found) {
      end()
      const level = found[1]!.length
      headings.length = Math.min(headings.length, level - 1)
      while (headings.length < level - 1) headings.push('')
      headings.push((found[2] ?? '').slice(0, 200))
    }
    lines.push(line)
  }
  end()
  return sections
}

function schemaSections(text: string): Part[] {
  return jsonSections(text) ?? ddlSections(text)
}

/** The definitions of a JSON Schema or an OpenAPI document, each for itself; undefined: no JSON object. */
function jsonSections(text: string): Part[] | undefined {
  if (!text.trimStart().startsWith('{')) return undefined
  try {
    const document: unknown = JSON.parse(text)
    if (!isObject(document)) return undefined
    const { paths, components, $defs, definitions, ...rest } = document
    const { schemas, ...others } = isObject(components) ? components : {}
    return [
      section('', isObject(components) && Object.keys(others).length > 0 ? { ...rest, components: others } : rest),
      ...[paths, schemas, $defs, definitions].flatMap((group) =>
        isObject(group) ? Object.entries(group).map(([name, value]) => section(name, value)) : [],
      ),
    ].filter((part) => part.text !== '{}')
  } catch {
    // Not JSON, or nested too deeply to be written again: it is cut like other text.
    return undefined
  }
}

const section = (heading: string, value: unknown): Part => ({
  heading: heading.slice(0, 200),
  text: JSON.stringify(value, null, 1),
})
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The statements of SQL that create something, with what follows each; a CSV header or YAML is one section. */
function ddlSections(text: string): Part[] {
  const named =
    /^\s*CREATE\s+(?:OR\s+REPLACE\s+)?(?:\w+\s+){0,3}?(?:TABLE|VIEW|TYPE|FUNCTION)\s+(?:IF\s+NOT\s+EXISTS\s+)?([^\s(;]{1,200})/i
  const sections: Part[] = []
  let heading = ''
  let lines: string[] = []
  const end = () => {
    if (lines.some((line) => line.trim() !== '')) sections.push({ heading, text: lines.join('\n') })
    lines = []
  }
  for (const line of text.split('\n')) {
    const name = named.exec(line.slice(0, 1_000))?.[1]
    if (name !== undefined) {
      end()
      heading = name.replaceAll(/["`[\]]/g, '')
    }
    lines.push(line)
  }
  end()
  return sections
}

/** Of at most `MOST` characters, cut between paragraphs where there are some, else between lines, else within one. */
function pieces(text: string): string[] {
  const found: string[] = []
  let rest = text.trim()
  while (rest.length > MOST) {
    const window = rest.slice(0, MOST)
    const paragraph = window.lastIndexOf('\n\n')
    const line = window.lastIndexOf('\n')
    const space = window.lastIndexOf(' ')
    const at = [paragraph, line, space].find((place) => place > MOST / 3) ?? MOST
    const cut = window.slice(0, at)
    const whole = cut.isWellFormed() ? cut : cut.slice(0, -1)
    found.push(whole.trimEnd())
    rest = rest.slice(whole.length).trimStart()
  }
  if (rest !== '') found.push(rest)
  return found
}

/** Too frequent to tell parts apart, in the languages of the window. */
const common = new Set(
  (
    'a an and are as at be by can do each for from has have how i in into is it its me my of on one or our out should so ' +
    'that the then there this to up us was we what when where which with you your all any also not only every ' +
    'aber alle als am an auf aus bei bis das dass dem den der des die ein eine einem einen einer es für hat ich im in ist ' +
    'mit nach nicht nur oder sich sie sind so soll über um und uns von vom was wenn wie wir zu zum zur'
  ).split(' '),
)

/** The words of a prompt that are worth a search, each as a term of FTS5 that can be no operator. */
export function searchWords(prompt: string): string[] {
  const words = new Set<string>()
  for (const [word] of prompt.toLowerCase().matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    if (word.length > 1 && word.length <= 60 && !common.has(word)) words.add(`"${word}"`)
    if (words.size === MOST_WORDS) break
  }
  return [...words]
}
