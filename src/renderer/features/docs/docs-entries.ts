/** Pages and headings of the documentation by name, for "open anything". Loaded when somebody looks for something. */
import contents from 'virtual:headgate-docs/contents'
import { paths } from '../../paths.ts'

export interface DocsEntry {
  id: string
  label: string
  /** The page that a heading stands on. */
  hint?: string
  to: string
}

export const docsEntries: readonly DocsEntry[] = contents
  .flatMap((group) => group.pages)
  .flatMap((page) => [
    { id: `docs-${page.slug}`, label: page.title, to: paths.docs(page.slug) },
    ...page.headings.map((heading) => ({
      id: `docs-${page.slug}-${heading.id}`,
      label: heading.text,
      hint: page.title,
      to: paths.docs(page.slug, heading.id),
    })),
  ])
