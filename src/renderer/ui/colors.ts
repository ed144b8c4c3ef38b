/** Calculating with `#rrggbb` colours. Pure. */

export const white = '#ffffff'
export const black = '#000000'

const channels = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = channels(hex).map((channel) => {
    const value = channel / 255
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** WCAG 2 contrast ratio. */
export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

/** `share` of `other` in `one`. */
export function mix(one: string, other: string, share: number): string {
  const second = channels(other)
  const mixed = channels(one).map((channel, at) => Math.round(channel * (1 - share) + (second[at] ?? 0) * share))
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

/** The first colour on the way from one to the other that is good enough: from there on all are. */
export function toward(from: string, to: string, good: (color: string) => boolean): string {
  if (good(from)) return from
  let [below, above] = [0, 100]
  while (above - below > 1) {
    const middle = Math.floor((below + above) / 2)
    if (good(mix(from, to, middle / 100))) above = middle
    else below = middle
  }
  return mix(from, to, above / 100)
}

/** It reaches the ratio on each of the grounds. */
export const holdsOn =
  (grounds: readonly string[], least: number) =>
  (color: string): boolean =>
    grounds.every((ground) => contrast(color, ground) >= least)
