import { MAX_BUNDLE_LINE_BYTES } from '../../../contract/exchange.ts'
import type { BundleKind } from './bundle-format.rules.ts'

/** The lines of one record. Pure: what stands in them depends on nothing but the record. */

export interface RecordHead {
  kind: BundleKind
  name: string
  description: string | null
  tags: string[]
  archived: boolean
  current_version: number
}
export interface WrittenVersion {
  version: number
  yaml_content: string
  change_summary: string | null
  created_at: string
}

/** Beside the versions a line holds a name, a description and tags, which are far shorter. */
const ROOM = MAX_BUNDLE_LINE_BYTES - 64 * 1024
/** A character takes up to six bytes in JSON. */
const PIECE = Math.floor(ROOM / 6) - 1_000

/** One line, or several where one would be longer than a line may be: then those after the first carry on with the versions, and all but the last say that there is more. */
export function* recordLines(head: RecordHead, versions: Iterable<WrittenVersion>): Generator<string> {
  const { description, ...fields } = head
  const first = { ...fields, ...(description !== null && { description }) }
  let begun = false
  let held: string[] = []
  let size = 0

  function line(more: boolean): string {
    const { kind, name } = head
    const start = { ...(begun ? { kind, name, continues: true } : first), ...(more && { more }) }
    begun = true
    const text = `${JSON.stringify(start).slice(0, -1)},"versions":[${held.join(',')}]}\n`
    held = []
    size = 0
    return text
  }

  for (const version of versions) {
    for (const [index, piece] of pieces(version)) {
      const bytes = Buffer.byteLength(piece) + 1
      // More of a text stands at the start of its line.
      if (held.length > 0 && (index > 0 || size + bytes > ROOM)) yield line(true)
      held.push(piece)
      size += bytes
    }
  }
  if (held.length > 0 || !begun) yield line(false)
}

/** A version as JSON; one whose text is too long for a line in pieces of the text, which are counted. */
function* pieces({ version, yaml_content, change_summary, created_at }: WrittenVersion): Generator<[number, string]> {
  const whole = JSON.stringify({ version, yaml_content, change_summary, created_at })
  if (Buffer.byteLength(whole) <= ROOM) return yield [0, whole]
  for (let at = 0, index = 0; at < yaml_content.length; index++) {
    const end = wholeCharacters(yaml_content, at + PIECE)
    const text = yaml_content.slice(at, end)
    yield [index, JSON.stringify({ version, yaml_content: text, ...(at === 0 && { change_summary, created_at }) })]
    at = end
  }
}

/** Not between the two halves of a character. */
const wholeCharacters = (text: string, end: number) => (/[\uD800-\uDBFF]/.test(text[end - 1] ?? '') ? end - 1 : end)
