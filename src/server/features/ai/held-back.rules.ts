/** Secrets are found in texts before they leave, and put back into what comes back. Pure. */

/**
 * What looks like a secret, whatever it opens; the first group, or all of it. No expression may try a run of characters from each of
 * its places: texts of 1 MiB are searched.
 */
const looks: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  // The lines of a key whose beginning is in another part of a reference.
  /(?<=^|\n)(?:[A-Za-z0-9+/]{60,76}\n){3,}[A-Za-z0-9+/=]*/g,
  /\b(?:sk|pk|rk)[-_](?:[A-Za-z0-9]+[-_]){0,8}[A-Za-z0-9]{16,}[\w-]*/g,
  /\bsvc_[0-9a-f]{16,}/g,
  /\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-)[A-Za-z0-9_-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /(?<![\w-])(?=[\w-]{11,}\.[\w-]{8,}\.)[\w-]*?\b(eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*)/g,
  /:\/\/[^\s/@:'"]*:([^\s/@'"]+)@/g,
  /\bbearer\s+([A-Za-z0-9._~+/=-]{12,})/gi,
  /(?:passwor[dt]|kennwort|passwd|pwd|passphrase|secret|api[_-]?key|access[_-]?key|token)["']?\s*[:=]\s*["']?([^\s"',;}\]]{6,})/gi,
]

/** `user:password` of an `Authorization: Basic`. */
const basic = /\bbasic\s+([A-Za-z0-9+/]{8,}={0,2})/gi

export interface HeldBack {
  hide(text: string): string
  /** Of a text that was cut out of a longer one: also the end of a secret at its beginning, and the beginning of one at its end. */
  hideCut(text: string): string
  /** Of what was said about a text that was restored: also the beginnings of secrets that are quoted in part. */
  hideQuoted(text: string): string
  /** Only what was hidden here is put back. */
  restore(text: string): string
  readonly count: number
}

/** `known`: secrets of the store, in plain text. */
export function holdBack(known: readonly string[]): HeldBack {
  const marks = new Map<string, string>()
  const secrets: string[] = []
  const markOf = (secret: string): string => {
    const mark = marks.get(secret) ?? `[secret ${secrets.push(secret)}]`
    marks.set(secret, mark)
    return mark
  }
  // Longer ones first: one may be part of another.
  const wanted = [...new Set(known.filter((secret) => secret.length >= 4).flatMap(writings))].toSorted(
    (a, b) => b.length - a.length,
  )
  const hideIn = (found: string, secret: string): string => {
    // References to something that is kept elsewhere are no secrets.
    if (/^(?:\$\{|\[secret\b|:\w|<|\*+$)/.test(secret)) return found
    const at = found.lastIndexOf(secret)
    return found.slice(0, at) + markOf(secret) + found.slice(at + secret.length)
  }
  const hide = (text: string): string => {
    let hidden = text
    for (const secret of wanted)
      if (secret.length <= hidden.length && hidden.includes(secret)) hidden = hidden.replaceAll(secret, markOf(secret))
    for (const look of looks)
      hidden = hidden.replaceAll(look, (found: string, group: unknown) =>
        hideIn(found, typeof group === 'string' ? group : found),
      )
    return hidden.replaceAll(basic, (found: string, code: string) =>
      /^[^\s:]+:[^\s]+$/.test(Buffer.from(code, 'base64').toString()) ? hideIn(found, code) : found,
    )
  }
  return {
    hide,
    hideCut(text) {
      let hidden = hide(text)
      for (const secret of wanted.filter(({ length }) => length >= LONG)) {
        const head = overlap(secret, hidden)
        if (head > 0) hidden = markOf(hidden.slice(0, head)) + hidden.slice(head)
        const tail = overlap(hidden, secret)
        if (tail > 0) hidden = hidden.slice(0, -tail) + markOf(hidden.slice(-tail))
      }
      return hidden
    },
    hideQuoted(text) {
      let hidden = hide(text)
      for (const secret of secrets.filter(({ length }) => length > QUOTED))
        for (let at = 0; (at = hidden.indexOf(secret.slice(0, QUOTED), at)) >= 0; at++) {
          let length = QUOTED
          while (at + length < hidden.length && hidden[at + length] === secret[length]) length++
          hidden = hidden.slice(0, at) + markOf(secret) + hidden.slice(at + length)
        }
      return hidden
    },
    restore: (text) =>
      text.replaceAll(/\[secret ([1-9]\d{0,8})\]/g, (mark, number: string) => secrets[Number(number) - 1] ?? mark),
    get count() {
      return secrets.length
    },
  }
}

/** Shorter ones are found in part by chance. */
const LONG = 8
/** As much of a secret at an edge is no chance either. */
const LEAST_CUT = 6
/** Findings quote the first characters of a text, never less than so many. */
const QUOTED = 16

/** How many characters at the end of the first text are those at the beginning of the second; 0: too few to mean anything. */
function overlap(first: string, second: string): number {
  const begin = second.slice(0, LEAST_CUT)
  if (begin.length < LEAST_CUT) return 0
  // All of the second would be no part of it.
  const from = Math.max(0, first.length - second.length + 1)
  for (let at = first.indexOf(begin, from); at >= 0; at = first.indexOf(begin, at + 1))
    if (second.startsWith(first.slice(at))) return first.length - at
  return 0
}

/** The ways in which a text may hold a secret. */
function writings(known: string): string[] {
  const secret = known.toWellFormed()
  const bytes = Buffer.from(secret)
  const base64 = bytes.toString('base64')
  const hex = bytes.toString('hex')
  const url = encodeURIComponent(secret)
  return [
    known,
    url,
    url.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    encodeURI(secret),
    JSON.stringify(secret).slice(1, -1),
    base64,
    base64.replace(/=+$/, ''),
    bytes.toString('base64url'),
    hex,
    hex.toUpperCase(),
    [...secret].join('\0'),
    ...(secret.length < LONG ? [] : [[...secret].toReversed().join(''), ...withinBase64(bytes)]),
  ]
}

/** A secret in the midst of what was encoded, such as `user:secret`: base64 has it in three ways, whose ends depend on what is around. */
const withinBase64 = (secret: Buffer): string[] =>
  [0, 1, 2].flatMap((offset) => {
    const base64 = Buffer.concat([Buffer.alloc(offset), secret]).toString('base64')
    const whole = Math.floor(((offset + secret.length) * 8) / 6)
    const inner = base64.slice(offset === 0 ? 0 : offset + 1, whole)
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')]
  })
