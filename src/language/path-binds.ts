/** `:name` in the path of an HTTP request: a part of the path, or a value of its query. */
export interface PathBind {
  name: string
  /** Offsets of `:name`. */
  start: number
  end: number
}

/** In order. A colon inside of a part, as in `12:30`, begins none. */
export function findPathBinds(path: string): PathBind[] {
  return [...path.matchAll(/(?<=[/=,]):([A-Za-z_][A-Za-z0-9_]*)/g)].map((match) => ({
    name: match[1] ?? '',
    start: match.index,
    end: match.index + match[0].length,
  }))
}
