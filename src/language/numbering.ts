/**
 * Numbers names that are taken: `a_2`, `a_3`, … The count of each name goes on where it stopped, so that thousands of the same name take
 * no longer than as many different ones. Names that were taken must stay taken.
 */
export function createNumbering(isTaken: (name: string) => boolean, first = 2): (stem: string) => string {
  const counts = new Map<string, number>()
  return (stem) => {
    let number = counts.get(stem) ?? first
    while (isTaken(`${stem}_${number}`)) number++
    counts.set(stem, number + 1)
    return `${stem}_${number}`
  }
}
