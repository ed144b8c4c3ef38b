import { unescaped } from '../../../language/query/read-web-query.ts'
import type { MistakeAt } from '../results.types.ts'

/** Where services say it: SAP's count in the address without its escapes, Microsoft's in the expression that they quote. */
const inAddress = /failed at position (\d+)/
const inExpression = /at position (\d+) in '([^']*)'/
const quotedName = /["'`](?:\w+\.)*(\w+)["'`]/g

/** OData knows no place of a mistake: it is where the answer says, or the name that it quotes, if the query has that once. */
export const mistakeAtOData: MistakeAt = ({ reason: { code, params } }, query) => {
  if (code !== 'answered_with_text') return null
  const text = String(params['text'])
  const [, position, expression] = inExpression.exec(text) ?? []
  if (expression) {
    const at = onlyPlace(query, expression)
    if (at !== null) return at + Math.min(Number(position), expression.length)
  }
  const offset = inAddress.exec(text)?.[1]
  if (offset) return placeOfAddress(unescaped(String(params['what'])), Number(offset), query)
  for (const [, name = ''] of text.matchAll(quotedName)) {
    const at = new RegExp(`\\b${name}\\b`, 'g')
    const found = [...query.matchAll(at)]
    if (found.length === 1) return found[0]?.index ?? null
  }
  return null
}

/** Options are sent in another order than they are written in. */
function placeOfAddress(what: string, position: number, query: string): number | null {
  const path = /^\w+ \w+:\/\/[^/]*(\/.*)$/s.exec(what)?.[1] ?? ''
  const from = Math.max(path.lastIndexOf('?', position - 1), path.lastIndexOf('&', position - 1)) + 1
  const before = path.slice(from, position)
  const at = from > 0 && before !== '' ? onlyPlace(query, before) : null
  return at === null ? null : at + before.length
}

function onlyPlace(query: string, text: string): number | null {
  const at = query.indexOf(text)
  return at >= 0 && query.indexOf(text, at + 1) < 0 ? at : null
}
