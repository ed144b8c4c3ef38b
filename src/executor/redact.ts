import type { BoundConnector } from '../contract/executor-protocol.ts'

export type Redact = (text: string) => string

/** Shorter ones are no secrets worth the name, and would blank out half of every line. */
const SHORTEST_SECRET = 4
/** A line of a secret of several lines (a private key) counts as secret itself from this length on. */
const SHORTEST_LINE = 16

/**
 * Replaces every secret of the connectors by `***`: as it is, as it stands in a URL, as it stands in JSON, and each long
 * line of one that has several. Also makes the text well-formed Unicode, for what leaves the worker is stored.
 */
export function redactorFor(connectors: readonly BoundConnector[]): Redact {
  const forms = new Set(connectors.flatMap((connector) => Object.values(connector.secrets).flatMap(formsOf)))
  if (forms.size === 0) return (text) => text.toWellFormed()
  // The longest first: a secret may begin with another one.
  const alternatives = [...forms].toSorted((a, b) => b.length - a.length).map(escapeRegExp)
  const pattern = new RegExp(alternatives.join('|'), 'g')
  return (text) => text.toWellFormed().replace(pattern, '***')
}

/** `value` with every text in it redacted; keys stay as they are. */
export function redactDeep<T>(value: T, redact: Redact): T {
  return mapTexts(value, redact) as T // same shape, texts for texts
}

function mapTexts(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, redact))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, redact)]))
}

function formsOf(secret: string): string[] {
  if (secret.length < SHORTEST_SECRET) return []
  const wellFormed = secret.toWellFormed()
  const lines = wellFormed.split(/\r?\n/).filter((line) => line.length >= SHORTEST_LINE)
  return [wellFormed, encodeURIComponent(wellFormed), JSON.stringify(wellFormed).slice(1, -1), ...lines]
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
