// Made of docs/*.md by tools/docs/vite-plugin.ts.
declare module 'virtual:headgate-docs/contents' {
  // An import at the top would make these modules part of another one.
  // oxlint-disable-next-line typescript/consistent-type-imports
  const contents: readonly import('./docs.types.ts').DocsGroup[]
  export default contents
}
declare module 'virtual:headgate-docs/search' {
  /** The index of docs-search.ts, as JSON. */
  const index: string
  export default index
}
declare module 'virtual:headgate-docs/pages' {
  /** HTML of each page. */
  const pages: Readonly<Record<string, () => Promise<{ default: string }>>>
  export default pages
}
