/** What the build makes of docs/*.md, and the window and the site read. */

/** Ids of headings in the window: `doc-states` for `#states`. (An id alone, such as `headgate`, would be a name of the window's.) */
export const headingPrefix = 'doc-'

export interface DocsHeading {
  /** Anchor: `#states`. */
  id: string
  text: string
  level: number
}

export interface DocsPageEntry {
  /** Name of the file without `.md`, and of the address: `/docs/jobs`. */
  slug: string
  title: string
  /** What the page is for: its first paragraph. */
  summary: string
  headings: readonly DocsHeading[]
}

export interface DocsGroup {
  title: string
  pages: readonly DocsPageEntry[]
}

/** A section of a page as the search knows it: from one heading to the next. */
export interface DocsSectionRecord {
  /** `jobs#states`, or `jobs` for what stands before the first heading. */
  id: string
  slug: string
  anchor: string
  /** Title of the page. */
  title: string
  /** Its own heading; of the first section the page's title. */
  heading: string
  /** With `marked` code. */
  text: string
  /** Where it has no text of its own: that of the section below it, which is shown and not searched. */
  beginning: string
  /** Cells of its tables: shown where only they have what was looked for. */
  table: string
  /** Examples: they are read where only they have what was looked for. */
  code: string
  /** Other words that people look for. */
  words: string
  /** Explanations count more than lists of keys and codes. */
  weight: number
}
