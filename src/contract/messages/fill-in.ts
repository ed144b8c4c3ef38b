/** A text whose `<name>` are those of the parameters; within double quotes they are written as JSON writes them. */
export function fillIn(
  text: string,
  params: Readonly<Record<string, unknown>>,
  show: (value: unknown, name: string) => string,
): string {
  return text.replaceAll(/("?)<(\w+)>\1/g, (_, quote: string, name: string) => {
    const shown = [params[name]].flat().map((value) => show(value, name))
    return quote ? JSON.stringify(shown.join(', ')) : shown.join(', ')
  })
}
