/** Where in a JSON document lists of records stand, by its first bytes. Pure. */

/** As the language writes a path. */
const key = /^[A-Za-z_$][\w$-]*$/
const deepest = 6
const mostPaths = 20

/** Dotted paths to lists of objects that no other list holds, in their order. The text may end anywhere. */
export function recordPaths(text: string): string[] {
  const found = new Set<string>()
  /** What is open: an object with the key of its current member, or a list. */
  const open: { list: boolean; key: string | null }[] = []
  let name: string | null = null
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/gs)) {
    const last = open.at(-1)
    if (token === '{') {
      const path = open.slice(0, -1).map((one) => one.key)
      const isPath = path.length > 0 && path.length <= deepest && !open.slice(0, -1).some(({ list }) => list)
      if (last?.list && isPath && path.every((one): one is string => one !== null && key.test(one)))
        found.add(path.join('.'))
      open.push({ list: false, key: null })
    } else if (token === '[') open.push({ list: true, key: null })
    else if (token === '}' || token === ']') open.pop()
    else if (token.startsWith('"')) name = token.slice(1, -1)
    else if (token === ':' && last) last.key = name
    if (found.size >= mostPaths) break
  }
  return [...found]
}
