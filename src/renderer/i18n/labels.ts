/**
 * Labels that executors make of a step, and what happens to its values: fixed words around names, which are data and stay.
 */

/** By the English label, in which `<so>` is a name. */
export type LabelPatterns = Readonly<Record<string, string>>

const part = /<(\w+)>/g
const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

export function labelBook(labels: LabelPatterns): (label: string) => string | undefined {
  const patterns = Object.entries(labels)
    // The one that says most fits best.
    .toSorted(([a], [b]) => b.replaceAll(part, '').length - a.replaceAll(part, '').length)
    .map(([source, target]) => ({
      pattern: new RegExp(
        `^${source
          .split(part)
          .map((text, at) => (at % 2 === 1 ? `(?<${text}>.+?)` : escaped(text)))
          .join('')}$`,
        's',
      ),
      target,
    }))
  return (label) => {
    for (const { pattern, target } of patterns) {
      const found = pattern.exec(label)
      if (found) return target.replaceAll(part, (_, name: string) => found.groups?.[name] ?? '')
    }
    return undefined
  }
}
