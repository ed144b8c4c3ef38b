/** All pages of the documentation as docs/contents.json orders them, and everything that is wrong with them. */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import type { DocsGroup, DocsSectionRecord } from '../../src/renderer/features/docs/docs.types.ts'
import { knownLanguages } from './highlight.ts'
import { type MarkdownPage, readMarkdown } from './markdown.ts'

export interface Page {
  slug: string
  /** From the root of the project: `docs/jobs.md`. */
  file: string
  words: string
  /** A reference or a list of codes: what explains is found before it. */
  lists: boolean
  /** Also a page of the window. */
  inApp: boolean
  markdown: MarkdownPage
}

export interface Group {
  title: string
  inApp: boolean
  pages: Page[]
}

export interface Library {
  groups: Group[]
  pages: Page[]
  problems: string[]
}

/** docs/contents.json. A page is its file below docs/, or an object with the words that it is also looked for by. */
interface Contents {
  groups: {
    title: string
    /** False: on the site alone. */
    app?: boolean
    pages: (string | { page: string; words: string; lists?: boolean })[]
    /** A folder whose pages follow in the order of their names. */
    folder?: string
  }[]
}

const unfinished = /\b(?:TODO|FIXME|TBD|XXX|lorem ipsum|coming soon|not implemented)\b/i
/** A screen of the window: `headgate://triggers`. */
export const screenLink = /^headgate:\/\/([a-z0-9/?=&_-]*)$/

export function readLibrary(root: string): Library {
  const docs = join(root, 'docs')
  // Written by hand beside the pages; a mistake in its shape shows at once.
  const contents = JSON.parse(readFileSync(join(docs, 'contents.json'), 'utf8')) as Contents
  const problems: string[] = []
  const groups = contents.groups.map((group): Group => {
    const inFolder = group.folder ? markdownFiles(docs, group.folder) : []
    const inApp = group.app !== false
    const named = [...group.pages, ...inFolder].map((entry) =>
      typeof entry === 'string' ? { page: entry, words: '', lists: false } : { lists: false, ...entry },
    )
    const pages = named.flatMap(({ page, words, lists }) => {
      const file = normalize(join('docs', page))
      if (!existsSync(join(root, file))) {
        problems.push(`docs/contents.json names ${page}, which is not there`)
        return []
      }
      return [
        {
          slug: slugOfFile(file),
          file,
          words,
          lists,
          inApp,
          markdown: readMarkdown(readFileSync(join(root, file), 'utf8')),
        },
      ]
    })
    return { title: group.title, inApp, pages }
  })
  const library = { groups, pages: groups.flatMap((group) => group.pages), problems }
  problems.push(...unnamedPages(library, docs), ...library.pages.flatMap((page) => mistakesOf(library, page, root)))
  return library
}

const slugOfFile = (file: string) =>
  file
    .replace(/^docs\//, '')
    .replace(/\.md$/, '')
    .replaceAll('/', '-')
    .toLowerCase()

const markdownFiles = (docs: string, folder: string) =>
  readdirSync(join(docs, folder))
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .toSorted()
    .map((name) => `${folder}/${name}`)

function unnamedPages(library: Library, docs: string): string[] {
  const named = new Set(library.pages.map((page) => page.file))
  return readdirSync(docs)
    .filter((name) => name.endsWith('.md') && !named.has(`docs/${name}`))
    .map((name) => `docs/${name} is in no group of docs/contents.json: nobody finds it`)
}

/** The page and anchor that a link of a page means; undefined when it means no page. */
export function targetOf(library: Library, from: Page, href: string): { page: Page; anchor: string } | undefined {
  const [path = '', anchor = ''] = href.split('#', 2)
  if (path === '') return { page: from, anchor }
  const file = normalize(join(dirname(from.file), path))
  const page = library.pages.find((one) => one.file === file)
  return page && { page, anchor }
}

export const isServerLink = (href: string) => href === '/api/docs' || href === '/api/openapi.json'

function mistakesOf(library: Library, page: Page, root: string): string[] {
  const { markdown, file } = page
  const at = (line: number, what: string) => `${file}:${line}: ${what}`
  return [
    ...(markdown.title === '' ? [at(1, 'has no title')] : []),
    ...(markdown.headings.filter(({ level }) => level === 1).length > 1 ? [at(1, 'has several titles')] : []),
    ...(page.inApp && markdown.summary === '' ? [at(1, 'does not say what it is for')] : []),
    ...markdown.links.flatMap(({ href, line }) => linkMistakes(library, page, href).map((what) => at(line, what))),
    ...markdown.pictures.flatMap(({ src, alt, line }) => [
      ...(existsSync(join(root, dirname(file), src)) ? [] : [at(line, `the picture ${src} is not there`)]),
      ...(alt === '' ? [at(line, `the picture ${src} has no words`)] : []),
    ]),
    ...markdown.fences.flatMap(({ language, note, content, line }) => {
      if (!knownLanguages.has(language)) return [at(line, `code of the language "${language}" is not known`)]
      if (!note.startsWith('examples/')) return []
      const example = join(root, 'docs', note)
      const same = existsSync(example) && readFileSync(example, 'utf8') === content
      return same ? [] : [at(line, `is not what stands in docs/${note} (npm run docs -- --update writes it)`)]
    }),
    ...markdown.prose.flatMap(({ text, line }) => {
      const found = unfinished.exec(text)
      return found ? [at(line, `says "${found[0]}": finish it`)] : []
    }),
  ]
}

function linkMistakes(library: Library, page: Page, href: string): string[] {
  if (screenLink.test(href) || isServerLink(href)) return []
  if (/^[a-z]+:/i.test(href)) return [`${href} leads outside: the documentation works offline`]
  const target = targetOf(library, page, href)
  if (!target) return [`the link to ${href} leads to no page`]
  if (page.inApp && !target.page.inApp) return [`the link to ${href} leads out of the window`]
  const known = target.anchor === '' || target.page.markdown.headings.some(({ id }) => id === target.anchor)
  return known ? [] : [`${href}: ${relative('docs', target.page.file)} has no heading #${target.anchor}`]
}

/** What the window's and the site's navigation show. */
export const outline = (groups: readonly Group[]): DocsGroup[] =>
  groups.map(({ title, pages }) => ({
    title,
    pages: pages.map(({ slug, markdown }) => ({
      slug,
      title: markdown.title,
      summary: markdown.summary,
      headings: markdown.headings.filter(({ level }) => level > 1),
    })),
  }))

/** Begins of pages, and pages that explain, count more than lists. */
const weightOf = (lists: boolean, anchor: string) => (lists ? 0.25 : 1) * (anchor === '' ? 1.4 : 1)

export const searchable = (pages: readonly Page[]): DocsSectionRecord[] =>
  pages.flatMap(({ slug, words, lists, markdown }) =>
    markdown.sections.map(({ anchor, heading, text, table, code }, at, all) => ({
      id: anchor === '' ? slug : `${slug}#${anchor}`,
      slug,
      anchor,
      title: markdown.title,
      heading: heading || markdown.title,
      text,
      beginning: text === '' ? (all.slice(at).find((one) => one.text !== '')?.text ?? table) : '',
      table,
      code,
      words,
      weight: weightOf(lists, anchor),
    })),
  )
