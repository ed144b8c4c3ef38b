/** The 1-based column of a key of the outermost object in valid JSON; 1 when it is not there. */
export function columnOfKey(json: string, key: string): number {
  const wanted = JSON.stringify(key)
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    const char = json[at]
    if (char === '{' || char === '[') depth += 1
    else if (char === '}' || char === ']') depth -= 1
    else if (char === '"') {
      const end = stringEnd(json, at)
      if (depth === 1 && end - at === wanted.length && json.startsWith(wanted, at) && isKey(json, end)) return at + 1
      at = end - 1
    }
  }
  return 1
}

function stringEnd(json: string, start: number): number {
  let at = start + 1
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at + 1
}

const isKey = (json: string, end: number) => /^[ \t\n\r]*:/.test(json.slice(end, end + 20))
