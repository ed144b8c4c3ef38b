/**
 * Histograms of times, as text. A bin holds the values up to its bound and above that of the bin before; bounds grow by a
 * sixteenth of a doubling, so a percentile is off by 2.2 % at most. One text after the other is the histogram of both: SQLite
 * merges them with group_concat.
 *
 * A bin is written as two digits of 6 bits for its number, then its count in digits of 5 bits, the last of which is marked.
 */

const first = 48
const perDoubling = 16

/** Values are whole and not negative. Bin 0 holds 0, bin 1 holds 1. */
export const binOf = (value: number): number => (value < 1 ? 0 : 1 + Math.ceil(perDoubling * Math.log2(value)))
/** The largest value of a bin. */
const boundOf = (bin: number): number => (bin === 0 ? 0 : 2 ** ((bin - 1) / perDoubling))
/** What a value in the bin is taken for. */
const middleOf = (bin: number): number => (bin < 2 ? bin : Math.round(Math.sqrt(boundOf(bin - 1) * boundOf(bin))))

export type Bins = Map<number, number>

export function written(bin: number, count: number): string {
  let text = String.fromCharCode(first + (bin >> 6), first + (bin & 63))
  let rest = count
  for (; rest >= 32; rest = Math.floor(rest / 32)) text += String.fromCharCode(first + (rest % 32))
  return text + String.fromCharCode(first + 32 + rest)
}

/** Counts by bin, 0 between calls: millions of bins are read for one query. */
const counts = new Float64Array(64 * 64)

/** Gives each bin of the text that has something, in order. */
function eachBin(text: string, give: (bin: number, count: number) => void): void {
  let low = counts.length
  let high = -1
  for (let at = 0; at < text.length;) {
    const bin = ((text.charCodeAt(at) - first) << 6) + text.charCodeAt(at + 1) - first
    at += 2
    let count = 0
    let place = 1
    let digit = text.charCodeAt(at++) - first
    for (; digit < 32; digit = text.charCodeAt(at++) - first) {
      count += digit * place
      place *= 32
    }
    counts[bin]! += count + (digit - 32) * place
    if (bin < low) low = bin
    if (bin > high) high = bin
  }
  for (let bin = low; bin <= high; bin++) {
    const count = counts[bin]!
    if (count === 0) continue
    counts[bin] = 0
    give(bin, count)
  }
}

/** Adds every bin of the text. */
export function addTo(bins: Bins, text: string): void {
  eachBin(text, (bin, count) => bins.set(bin, (bins.get(bin) ?? 0) + count))
}

/** The same histogram with each bin once, in order. */
export function compact(text: string): string {
  let found = ''
  eachBin(text, (bin, count) => (found += written(bin, count)))
  return found
}

export function totalOf(bins: Bins): number {
  let total = 0
  for (const count of bins.values()) total += count
  return total
}

/**
 * The smallest value that so many of all are not above; null without values. It is never above the largest of them, `most`; one that
 * is not in the last bin is that of some of them only.
 */
export function percentile(bins: Bins, share: number, most: number): number | null {
  const rank = Math.max(1, Math.ceil(share * totalOf(bins)))
  const sorted = [...bins].toSorted(([a], [b]) => a - b)
  const isLast = sorted.at(-1)?.[0] === binOf(most)
  let seen = 0
  for (const [at, [bin, count]] of sorted.entries()) {
    seen += count
    if (seen < rank) continue
    if (!isLast || at < sorted.length - 1) return middleOf(bin)
    return count === 1 ? most : Math.min(middleOf(bin), most)
  }
  return null
}
