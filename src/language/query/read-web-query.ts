/** What a query of OData or HTTP that a person wrote asks for. Pure. */

/** `others`: options that a source of a task doesn't know, as they stand in the address. */
export interface ODataQuery {
  path: string
  select: string[] | null
  filter: string | null
  expand: string[]
  order_by: string | null
  others: string[]
}

/** `Orders?$filter=total gt :least&$top=50`. null: it is none; `twice`: an option that stands there twice. */
export function readODataQuery(query: string): ODataQuery | { twice: string } | null {
  const text = query.trim()
  const mark = text.indexOf('?')
  const path = mark < 0 ? text : text.slice(0, mark)
  if (path === '' || /[\r\n#]/.test(text)) return null
  const known = new Map<string, string>()
  const others: string[] = []
  for (const option of mark < 0 ? [] : split(text.slice(mark + 1), '&')) {
    const [, key = option, value = ''] = /^([^=]*)=(.*)$/s.exec(option) ?? []
    if (['$select', '$expand', '$filter', '$orderby'].includes(key)) {
      if (known.has(key)) return { twice: key }
      known.set(key, unescaped(value))
    } else if (key !== '') others.push(`${key}=${encodeURIComponent(unescaped(value))}`)
  }
  const list = (key: string): string[] | null => {
    const value = known.get(key)
    return value === undefined ? null : split(value, ',').map((item) => item.trim())
  }
  const select = list('$select')
  return {
    path,
    select: select?.includes('*') ? null : select,
    filter: known.get('$filter') ?? null,
    expand: list('$expand') ?? [],
    order_by: known.get('$orderby') ?? null,
    others,
  }
}

/** As it is meant, also where an address was pasted. */
export function unescaped(value: string): string {
  if (!/%[0-9A-F]{2}/i.test(value)) return value
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/** Not inside of texts and brackets. */
function split(text: string, separator: string): string[] {
  const parts: string[] = []
  let [depth, from, quoted] = [0, 0, false]
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === "'") quoted = !quoted
    else if (quoted) continue
    else if (character === '(') depth++
    else if (character === ')') depth--
    else if (character === separator && depth <= 0) {
      parts.push(text.slice(from, at))
      from = at + 1
    }
  }
  return [...parts, text.slice(from)]
}

export interface HttpQuery {
  path: string
  /** Dotted path to the records; null: the answer is the list. */
  records: string | null
}

/** `/orders?status=:status`, and `records: data.items` in a line of its own. null: it is none; `method`: another one than GET. */
export function readHttpQuery(query: string): HttpQuery | { method: string } | null {
  const [first = '', ...more] = query
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const [, method, path = first] = /^([A-Z]+)\s+(.*)$/s.exec(first) ?? []
  if (method !== undefined && method !== 'GET') return { method }
  const records = more.map((line) => /^records:\s*(\S+)$/.exec(line)?.[1])
  if (path === '' || /[\s#]/.test(path) || more.length > 1 || records.includes(undefined)) return null
  return { path, records: records[0] ?? null }
}
