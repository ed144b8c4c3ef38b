/**
 * A text whose `<name>` are those of the parameters; `<Name>` begins with a capital letter. Lists are joined with commas, sentences with
 * spaces, `<name:or>` with that word, `<name:;>` with semicolons; `<name:#>` is a count, whose digits are grouped. Within double quotes they are written as JSON writes them, within backticks each item has its own.
 */
export function fillIn(
  text: string,
  params: Readonly<Record<string, unknown>>,
  show: (value: unknown, name: string, isCount: boolean) => string,
): string {
  return text.replaceAll(/(["`]?)<(\w+)(?::([^>]+))?>\1/g, (_, quote: string, written: string, word?: string) => {
    const name = written.charAt(0).toLowerCase() + written.slice(1)
    const values = [params[name]].flat()
    const shown = values.map((value) => show(value, name, word === '#'))
    const items = quote === '`' ? shown.map((one) => `\`${one}\``) : shown
    const between =
      word === ',' || word === ';'
        ? `${word} `
        : word === undefined
          ? typeof values[0] === 'object'
            ? ' '
            : ', '
          : ` ${word} `
    const joined = items.join(between)
    if (quote === '"') return JSON.stringify(joined)
    return written === name ? joined : joined.charAt(0).toUpperCase() + joined.slice(1)
  })
}
