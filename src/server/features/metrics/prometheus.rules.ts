/** Figures in the text format of Prometheus: https://prometheus.io/docs/instrumenting/exposition_formats/ */
import { type Bins, totalOf } from './histogram.rules.ts'

type Labels = Readonly<Record<string, string>>
interface Family {
  name: string
  help: string
}
export interface Sample {
  labels: Labels
  value: number
}
export interface Distribution {
  labels: Labels
  /** In milliseconds. */
  bins: Bins
  sum: number
}

const escaped = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')
const labelled = (labels: Labels) => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length > 0 ? `{${pairs.join(',')}}` : ''
}
const headOf = ({ name, help }: Family, type: string) => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`

/** Nothing at all without samples. */
export function simple(type: 'counter' | 'gauge', family: Family, samples: readonly Sample[]): string {
  if (samples.length === 0) return ''
  const lines = samples.map(({ labels, value }) => `${family.name}${labelled(labels)} ${value}\n`)
  return headOf(family, type) + lines.join('')
}

/** Every other doubling, from a millisecond to some hours: bins end exactly there. */
const bounds = Array.from({ length: 13 }, (_, n) => ({ seconds: 2 ** (2 * n) / 1000, bin: 32 * n + 1 }))

export function histogram(family: Family, distributions: readonly Distribution[]): string {
  if (distributions.length === 0) return ''
  const lines: string[] = [headOf(family, 'histogram')]
  for (const { labels, bins, sum } of distributions) {
    const sorted = [...bins].toSorted(([a], [b]) => a - b)
    let seen = 0
    let at = 0
    for (const { seconds, bin } of bounds) {
      for (; at < sorted.length && sorted[at]![0] <= bin; at++) seen += sorted[at]![1]
      lines.push(`${family.name}_bucket${labelled({ ...labels, le: String(seconds) })} ${seen}\n`)
    }
    const count = totalOf(bins)
    lines.push(
      `${family.name}_bucket${labelled({ ...labels, le: '+Inf' })} ${count}\n`,
      `${family.name}_sum${labelled(labels)} ${sum / 1000}\n`,
      `${family.name}_count${labelled(labels)} ${count}\n`,
    )
  }
  return lines.join('')
}
