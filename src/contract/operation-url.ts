import type { Operation } from './operation.ts'

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** The path with its parameters filled in and the query appended; arrays repeat their name. */
export function urlOf(op: Operation, params: object = {}, query: object = {}): string {
  const values = new Map<string, unknown>(Object.entries(params))
  const path = op.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values.get(name)
    if (value === undefined || value === null) throw new Error(`${op.id} needs the path parameter ${name}`)
    return encodeURIComponent(textOf(value))
  })
  const search = Object.entries(query).flatMap(([name, value]: [string, unknown]) =>
    [value]
      .flat()
      .filter((one) => one !== undefined && one !== null && one !== '')
      .map((one) => `${name}=${encodeURIComponent(textOf(one))}`),
  )
  return search.length > 0 ? `${path}?${search.join('&')}` : path
}
