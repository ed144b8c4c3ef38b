/** Colours the code of the documentation at build time: keys, texts, numbers, comments. Small on purpose. */

type Kind = 'comment' | 'string' | 'key' | 'number'
type Rules = readonly (readonly [Kind | null, RegExp])[]

const string = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/y
const number = /\b-?\d[\d_]*(?:\.\d+)?\b/y
const word = /[\p{L}_$][\p{L}\p{N}_$-]*/uy

const languages: Record<string, Rules> = {
  yaml: [
    ['comment', /(?<=^|\s)#[^\n]*/my],
    ['key', /(?<=^|[\s{,?-])[\w.$<>/-]+(?=:(?:\s|$))/my],
    ['string', string],
    ['number', /(?<=[\s:[,{])-?\d[\d_]*(?:\.\d+)?(?=[\s,\]}]|$)/my],
    [null, word],
  ],
  json: [
    ['key', /"(?:[^"\\\n]|\\.)*"(?=\s*:)/y],
    ['string', string],
    ['number', number],
  ],
  sh: [
    ['comment', /(?<=^|\s)#[^\n]*/my],
    ['string', string],
    ['key', /(?<=^|\| )(?:npm|npx|curl|api|export|headgate|python3|node|jq|docker|systemctl)\b/my],
    ['number', /(?<=\s)--?[a-zA-Z][\w-]*/y],
    [null, word],
  ],
  ts: [
    ['comment', /\/\/[^\n]*|\/\*[\s\S]*?\*\//y],
    ['string', /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/y],
    [
      'key',
      /\b(?:import|from|export|const|let|function|return|if|else|for|of|in|while|async|await|new|throw|type|interface|as|true|false|null|try|catch|finally|break|continue)\b/y,
    ],
    ['number', number],
    [null, word],
  ],
  python: [
    ['comment', /#[^\n]*/y],
    ['string', /[rbf]?"""[\s\S]*?"""|[rbf]?"(?:[^"\\\n]|\\.)*"|[rbf]?'(?:[^'\\\n]|\\.)*'/y],
    [
      'key',
      /\b(?:import|from|def|return|if|elif|else|for|in|while|with|as|not|and|or|is|None|True|False|try|except|finally|raise|class|lambda|yield|break|continue|print)\b/y,
    ],
    ['number', number],
    [null, word],
  ],
  sql: [
    ['comment', /--[^\n]*/y],
    ['string', string],
    [
      'key',
      /\b(?:SELECT|FROM|WHERE|GROUP|ORDER|BY|INSERT|INTO|UPDATE|DELETE|SET|VALUES|CREATE|TABLE|GRANT|ON|TO|IN|AND|OR|NOT|NULL|USER|ROLE|WITH|USAGE|SCHEMA|ALL|PASSWORD|IDENTIFIED)\b/iy,
    ],
    ['number', number],
    [null, word],
  ],
}

export const knownLanguages = new Set([...Object.keys(languages), 'text', 'nginx', 'ini'])

export const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** HTML of the code, with the classes `hl-comment`, `hl-string`, `hl-key`, `hl-number`. */
export function highlight(code: string, language: string): string {
  const rules = languages[language]
  if (!rules) return escapeHtml(code)
  let html = ''
  let at = 0
  while (at < code.length) {
    const { kind, text } = tokenAt(rules, code, at)
    html += kind ? `<span class="hl-${kind}">${escapeHtml(text)}</span>` : escapeHtml(text)
    at += text.length
  }
  return html
}

function tokenAt(rules: Rules, code: string, at: number): { kind: Kind | null; text: string } {
  for (const [kind, pattern] of rules) {
    pattern.lastIndex = at
    const found = pattern.exec(code)
    if (found && found[0] !== '') return { kind, text: found[0] }
  }
  return { kind: null, text: code.charAt(at) }
}
