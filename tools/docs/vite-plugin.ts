/**
 * The documentation inside the window: `virtual:headgate-docs/…` modules made of docs/*.md when the window is built. Contents, search
 * index and each page are chunks of their own, fetched when they are asked for.
 */
import { resolve } from 'node:path'
import type { Plugin } from 'vite'
import { buildIndex } from '../../src/renderer/features/docs/docs-search.ts'
import { headingPrefix } from '../../src/renderer/features/docs/docs.types.ts'
import {
  type Library,
  type Page,
  isServerLink,
  outline,
  readLibrary,
  screenLink,
  searchable,
  targetOf,
} from './library.ts'
import { pictureHtml } from './pictures.ts'

const prefix = 'virtual:headgate-docs/'
const mark = '\u0001'

export function docsPlugin(root = process.cwd()): Plugin {
  // Each page is a module, and reading one reads them all: once a build.
  let read: Library | undefined
  return {
    name: 'headgate-docs',
    buildStart() {
      read = undefined
    },
    resolveId: { filter: { id: /^virtual:headgate-docs\// }, handler: (id) => `\0${id}` },
    load: {
      filter: { id: /^\0virtual:headgate-docs\// },
      handler(id) {
        const library = (read ??= readLibrary(root))
        this.addWatchFile(resolve(root, 'docs/contents.json'))
        for (const page of library.pages) this.addWatchFile(resolve(root, page.file))
        return moduleOf(library, id.slice(prefix.length + 1), root)
      },
    },
  }
}

function moduleOf(library: Library, name: string, root: string): string {
  const pages = library.pages.filter((page) => page.inApp)
  if (name === 'contents') return defaultExport(outline(library.groups.filter((group) => group.inApp)))
  if (name === 'search') return defaultExport(buildIndex(searchable(pages)))
  if (name === 'pages') {
    const loaders = pages.map(
      ({ slug }) => `${JSON.stringify(slug)}: () => import(${JSON.stringify(`${prefix}page/${slug}`)})`,
    )
    return `export default {${loaders.join(',\n')}}`
  }
  const page = pages.find(({ slug }) => name === `page/${slug}`)
  if (!page) throw new Error(`The documentation has no page ${name}`)
  return pageModule(appHtml(library, page, root), root)
}

const defaultExport = (value: unknown) => `export default ${JSON.stringify(value)}`

/** The page with addresses of the window; pictures as `\u0001path\u0001`, for the bundler to name. */
export function appHtml(library: Library, page: Page, root: string): string {
  return page.markdown.render({
    idPrefix: headingPrefix,
    link: (href) => {
      const screen = screenLink.exec(href)
      if (screen) return { href: `/${screen[1] ?? ''}` }
      if (isServerLink(href)) return { href, external: true }
      const target = targetOf(library, page, href)
      if (!target?.page.inApp) return null
      return { href: `/docs/${target.page.slug}${target.anchor === '' ? '' : `#${target.anchor}`}` }
    },
    picture: (src, alt) => pictureHtml(root, page.file, { src, alt }, (path) => `${mark}${path}${mark}`),
  })
}

function pageModule(html: string, root: string): string {
  const parts = html.split(mark)
  const paths = [...new Set(parts.filter((_, index) => index % 2 === 1))]
  const imports = paths.map(
    (path, index) => `import picture${index} from ${JSON.stringify(`${resolve(root, path)}?url`)}`,
  )
  const pieces = parts.map((part, index) => (index % 2 === 1 ? `picture${paths.indexOf(part)}` : JSON.stringify(part)))
  return `${imports.join('\n')}\nexport default ${pieces.join(' + ')}`
}
