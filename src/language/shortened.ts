/** At most so many characters: a text that is longer ends in `…`. No surrogate is left alone. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`
}
