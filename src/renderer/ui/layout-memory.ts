/** Where tables and panes remember their widths in this browser. */
export const columnsKey = (id: string) => `headgate.columns.${id}`
/** Which columns a list shows. */
export const shownColumnsKey = (id: string) => `headgate.shown.${id}`
export const splitKey = (id: string) => `headgate.split.${id}`

/** Forgets every remembered width. */
export function forgetLayout(): void {
  const keys = Object.keys(localStorage).filter((key) => /^headgate\.(columns|shown|split)\./.test(key))
  for (const key of keys) localStorage.removeItem(key)
}
