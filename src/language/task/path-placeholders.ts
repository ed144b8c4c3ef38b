/** `{column}` in the path of an HTTP target. Expressions are no placeholders. */
const placeholder = /\$\{\{[\s\S]*?\}\}|\{([^{}]+)\}/g

/** The columns that a path names, each once. */
export function pathColumns(path: string): string[] {
  return [...new Set([...path.matchAll(placeholder)].flatMap((match) => (match[1] === undefined ? [] : [match[1]])))]
}

/** The path with each placeholder filled. */
export function fillPath(path: string, valueOf: (column: string) => string): string {
  return path.replace(placeholder, (written: string, column: string | undefined) =>
    column === undefined ? written : valueOf(column),
  )
}

/** For checks of the path around them. */
export function withoutPlaceholders(path: string): string {
  return fillPath(path, () => 'x')
}
