/** Which mark is meant by a place on the picture. Pure. */
import type { Plot } from './plot.rules.ts'

/** The place nearest to a value of the x axis; places are in its order. */
export function nearestPlace({ places }: Pick<Plot, 'places'>, at: number): number {
  let [low, high] = [0, places.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (places[middle]!.at < at) low = middle + 1
    else high = middle
  }
  const before = low - 1
  return before >= 0 && at - places[before]!.at <= places[low]!.at - at ? before : low
}

/** The next place with something to read, in a direction; the one it stood at if there is none. */
export function nextPlace(plot: Plot, from: number, step: number, hidden: ReadonlySet<number>): number {
  const last = plot.places.length - 1
  const readable = (place: number) =>
    plot.chart === 'pie'
      ? !hidden.has(place) && plot.series[0]?.texts[place] !== undefined
      : plot.series.some(({ texts }, series) => !hidden.has(series) && texts[place] !== undefined)
  const direction = Math.sign(step)
  for (let place = Math.max(0, Math.min(last, from + step)); place >= 0 && place <= last; place += direction) {
    if (readable(place)) return place
    if (direction === 0) break
  }
  return Math.max(0, Math.min(last, from))
}
