/** Pixels of a letter, and of what is around the letters of one. */
const [letter, frame] = [6.2, 18]

export const widthOfTags = (tags: readonly string[]) => tags.reduce((sum, tag) => sum + tag.length * letter + frame, 0)

/** How many tags a cell shows: the first, and each other that fits its pixels with the number of those left. Pure. */
export function fittingTags(tags: readonly string[], room: number): number {
  let used = 0
  const over = tags.findIndex((tag, index) => {
    used += tag.length * letter + frame
    return index > 0 && used > room - (index < tags.length - 1 ? frame : 0)
  })
  return over < 0 ? tags.length : over
}
