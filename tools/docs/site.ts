/** Pages of the site as HTML files that work wherever they lie: from a server, or opened as files. */
import { basename, dirname, join } from 'node:path'
import { darkTokens, lightTokens, tokenVariables } from '../../src/renderer/ui/tokens.ts'
import { escapeHtml } from './highlight.ts'
import { type Library, type Page, screenLink, targetOf } from './library.ts'
import { pictureHtml } from './pictures.ts'

const address = ({ slug }: Page, anchor = '') => `${slug}.html${anchor === '' ? '' : `#${anchor}`}`

/** Where a file that pages show lies on the site: `docs/screens/run.png` as `screens/run.png`. */
export const assetAddress = (path: string) => join(basename(dirname(path)), basename(path))

/** The page's HTML; `asset` is told of each file that it shows. */
export function sitePage(library: Library, page: Page, root: string, asset: (path: string) => void): string {
  const body = page.markdown.render({
    link: (href) => {
      // A link opens the app where it is installed.
      if (screenLink.test(href)) return { href }
      const target = targetOf(library, page, href)
      return target ? { href: address(target.page, target.anchor) } : null
    },
    picture: (src, alt) =>
      pictureHtml(root, page.file, { src, alt }, (path) => {
        asset(path)
        return assetAddress(path)
      }),
  })
  const { title, summary, headings } = page.markdown
  const at = library.pages.indexOf(page)
  const [before, after] = [library.pages[at - 1], library.pages[at + 1]]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${escapeHtml(summary.slice(0, 200))}">
<title>${escapeHtml(title)} · Headgate</title>
<link rel="icon" href="icon.svg">
<link rel="stylesheet" href="site.css">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<button type="button" class="menu" aria-expanded="false" aria-controls="pages">Pages</button>
<a class="brand" href="index.html">Headgate <span>Documentation</span></a>
<div class="search" role="search">
<input id="search" type="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off" spellcheck="false">
<kbd aria-hidden="true">/</kbd>
<ul class="results" id="results" aria-label="Results" hidden></ul>
</div>
</header>
<div class="columns">
<nav class="side" id="pages" aria-label="Pages">
${library.groups.map((group) => `<h2>${escapeHtml(group.title)}</h2>\n${group.pages.map((one) => pageLink(one, page)).join('\n')}`).join('\n')}
</nav>
<main id="content">
<article class="hg-doc">
${body}</article>
<nav class="turn" aria-label="Next pages">
${before ? `<a href="${address(before)}" rel="prev"><small>Previous</small>${escapeHtml(before.markdown.title)}</a>` : '<span></span>'}
${after ? `<a href="${address(after)}" rel="next"><small>Next</small>${escapeHtml(after.markdown.title)}</a>` : ''}
</nav>
</main>
<nav class="toc" aria-label="On this page">
${headings
  .filter(({ level }) => level === 2 || level === 3)
  .map(({ id, text, level }) => `<a href="#${escapeHtml(id)}" data-level="${level}">${escapeHtml(text)}</a>`)
  .join('\n')}
</nav>
</div>
<script src="search-index.js"></script>
<script src="search.js"></script>
</body>
</html>
`
}

const pageLink = (one: Page, page: Page) =>
  `<a href="${address(one)}"${one === page ? ' aria-current="page"' : ''}>${escapeHtml(one.markdown.title)}</a>`

/** The colours of the window as the site's. */
export function siteTokens(): string {
  const declarations = (tokens: Record<string, string>) =>
    Object.entries(tokens)
      .map(([name, value]) => `${name}: ${value};`)
      .join(' ')
  const [light, dark] = [declarations(tokenVariables(lightTokens)), declarations(tokenVariables(darkTokens))]
  return `:root { ${light} }\n@media (prefers-color-scheme: dark) { :root { ${dark} } }\n`
}
