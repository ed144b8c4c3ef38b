/** Figures in the text format of Prometheus: https://prometheus.io/docs/instrumenting/exposition_formats/ */
import { type Bins, totalOf } from './histogram.rules.ts'

type Labels = Readonly<Record<string, string>>
export interface Family {
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
export const headOf = ({ name, help }: Family, type: string): string =>
  `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`

export const sampleLines = (name: string, samples: readonly Sample[]): string =>
  samples.map(({ labels, value }) => `${name}${labelled(labels)} ${value}\n`).join('')

/** Nothing at all without samples. */
export const simple = (type: 'counter' | 'gauge', family: Family, samples: readonly Sample[]): string =>
  samples.length === 0 ? '' : headOf(family, type) + sampleLines(family.name, samples)

/** Every other doubling, from a millisecond to some hours: bins end exactly there. */
const bounds = Array.from({ length: 13 }, (_, n) => ({ seconds: 2 ** (2 * n) / 1000, bin: 32 * n + 1 }))

export function histogramLines(name: string, { labels, bins, sum }: Distribution): string {
  const sorted = [...bins].toSorted(([a], [b]) => a - b)
  let lines = ''
  let seen = 0
  let at = 0
  for (const { seconds, bin } of bounds) {
    for (; at < sorted.length && sorted[at]![0] <= bin; at++) seen += sorted[at]![1]
    lines += `${name}_bucket${labelled({ ...labels, le: String(seconds) })} ${seen}\n`
  }
  const count = totalOf(bins)
  return (
    lines +
    `${name}_bucket${labelled({ ...labels, le: '+Inf' })} ${count}\n` +
    `${name}_sum${labelled(labels)} ${sum / 1000}\n` +
    `${name}_count${labelled(labels)} ${count}\n`
  )
}
