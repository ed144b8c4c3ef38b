/** A part of the x axis in place of all of it. Pure: what is drawn and read is a plot of the places in that part. */
import type { Place, Plot } from './plot.rules.ts'

/** The ends of the part, both in it. They are kept as values: new rows may move their places. */
export interface Zoom {
  from: Place
  to: Place
}

/** Whether its places have an order, and are enough for a part of them to be less. */
export const isZoomable = ({ chart, places }: Plot): boolean =>
  chart !== 'pie' && chart !== 'heatmap' && places.length > 2

/** First and last place of the part; null: fewer than two are in it. */
function endsOf({ axis, places }: Plot, { from, to }: Zoom): readonly [number, number] | null {
  let [first, last] =
    axis === 'category'
      ? [places.findIndex(({ text }) => text === from.text), places.findLastIndex(({ text }) => text === to.text)]
      : [places.findIndex(({ at }) => at >= from.at), places.findLastIndex(({ at }) => at <= to.at)]
  // A category that has gone is where its neighbors began or ended.
  if (axis === 'category' && first < 0 && last >= 0) first = 0
  if (axis === 'category' && last < 0 && first >= 0) last = places.length - 1
  return first >= 0 && last > first ? [first, last] : null
}

/** Of these places, whichever comes first; null: that is all of them, or only one. */
export function zoomTo({ places }: Plot, one: number, other: number): Zoom | null {
  const [first, last] = one < other ? [one, other] : [other, one]
  const [from, to] = [places[first], places[last]]
  return from && to && first < last && last - first < places.length - 1 ? { from, to } : null
}

/** So many places around one, as far as they are there. */
function around(plot: Plot, place: number, amount: number): Zoom | null {
  const size = Math.max(2, amount)
  const first = Math.max(0, Math.min(plot.places.length - size, place - (size >> 1)))
  return zoomTo(plot, first, first + size - 1)
}

/** The half of what is seen around a place; the same where it has no halves. */
export const zoomIn = (seen: Plot, place: number): Zoom | null => around(seen, place, seen.places.length >> 1)

/** Twice as much of the whole; null: all of it. */
export function zoomOut(whole: Plot, zoom: Zoom | null): Zoom | null {
  const ends = zoom && endsOf(whole, zoom)
  return ends && around(whole, (ends[0] + ends[1] + 1) >> 1, 2 * (ends[1] - ends[0] + 1))
}

/** What is seen of a plot: the same plot, if nothing of the part is there any more. */
export function zoomed(plot: Plot, zoom: Zoom | null): Plot {
  const ends = zoom && isZoomable(plot) ? endsOf(plot, zoom) : null
  if (!ends) return plot
  const part = <T>(list: readonly T[]) => list.slice(ends[0], ends[1] + 1)
  const places = part(plot.places)
  return {
    ...plot,
    places: plot.axis === 'category' ? places.map(({ text }, at) => ({ text, at })) : places,
    series: plot.series.map(({ name, values, texts, rows }) => ({
      name,
      values: part(values),
      texts: part(texts),
      rows: part(rows),
    })),
  }
}
