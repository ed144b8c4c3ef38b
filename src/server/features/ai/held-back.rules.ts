/** Secrets are found in texts before they leave, and put back into what comes back. Pure. */

/** What looks like a secret, whatever it opens; the first group, or all of it. */
const looks: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\b(?:sk|pk|rk)[-_](?:[A-Za-z0-9]+[-_])*[A-Za-z0-9]{16,}/g,
  /\bsvc_[0-9a-f]{16,}/g,
  /\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-)[A-Za-z0-9_-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s/@:'"]*:([^\s/@'"]+)@/gi,
  /\bbearer\s+([A-Za-z0-9._~+/=-]{12,})/gi,
  /\b(?:password|passwd|pwd|passphrase|secret|api[_-]?key|access[_-]?key|token)["']?\s*[:=]\s*["']?([^\s"',;}\]]{6,})/gi,
]

export interface HeldBack {
  hide(text: string): string
  /** Only what was hidden here is put back. */
  restore(text: string): string
  readonly count: number
}

/** `known`: secrets of the store, in plain text. */
export function holdBack(known: readonly string[]): HeldBack {
  const marks = new Map<string, string>()
  const markOf = (secret: string): string => {
    const mark = marks.get(secret) ?? `[secret ${marks.size + 1}]`
    marks.set(secret, mark)
    return mark
  }
  // Longer ones first: one may be part of another.
  const wanted = [...new Set(known.filter((secret) => secret.length >= 4).flatMap(writings))].toSorted(
    (a, b) => b.length - a.length,
  )
  return {
    hide(text) {
      let hidden = text
      for (const secret of wanted) if (hidden.includes(secret)) hidden = hidden.replaceAll(secret, markOf(secret))
      for (const look of looks) {
        hidden = hidden.replaceAll(look, (found: string, ...groups: unknown[]) => {
          const secret = typeof groups[0] === 'string' ? groups[0] : found
          // References to something that is kept elsewhere are no secrets.
          if (/^(?:\$\{|\[secret |:\w|<|\*+$)/.test(secret)) return found
          return found.replace(secret, () => markOf(secret))
        })
      }
      return hidden
    },
    restore(text) {
      let restored = text
      for (const [secret, mark] of marks) restored = restored.replaceAll(mark, () => secret)
      return restored
    },
    get count() {
      return marks.size
    },
  }
}

/** The ways in which a text may hold a secret. */
function writings(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const base64 = bytes.toString('base64')
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    base64,
    base64.replace(/=+$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
  ]
}
