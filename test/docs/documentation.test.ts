import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { matchRoutes } from 'react-router'
import { describe, expect, test } from 'vitest'
import { allHelpPlaces, helpPlaceOf } from '../../src/renderer/ui/help.rules.ts'
import { readMarkdown, slugOf } from '../../tools/docs/markdown.ts'
import { readLibrary, screenLink } from '../../tools/docs/library.ts'
import { appHtml } from '../../tools/docs/vite-plugin.ts'

const root = resolve('.')
const library = readLibrary(root)

test('no link, anchor, picture, example or page of the documentation is amiss', () => {
  expect(library.problems).toEqual([])
  expect(library.pages.length).toBeGreaterThan(30)
})

test('help on pages of the window leads to sections that are there', () => {
  const missing = [...allHelpPlaces, helpPlaceOf('/')].filter((place) => {
    const headings = library.pages.find(({ slug }) => slug === place?.page)?.markdown.headings ?? []
    return headings.length === 0 || (place?.anchor !== undefined && !headings.some(({ id }) => id === place.anchor))
  })
  expect(missing).toEqual([])
})

test('links to screens lead to pages that the window has', () => {
  const sources = globSync('src/renderer/features/*/*.routes.ts').map((file) => readFileSync(file, 'utf8'))
  const routes = sources.flatMap((text) => [...text.matchAll(/path: '([^']+)'/g)].map(([, path = '']) => ({ path })))
  const links = library.pages.flatMap(({ file, markdown }) =>
    markdown.links.flatMap(({ href }) => {
      const [, path] = screenLink.exec(href) ?? []
      return path === undefined || path === '' ? [] : [`/${path}  (${file})`]
    }),
  )
  expect(links.filter((link) => matchRoutes(routes, link.split(' ', 1)[0] ?? '') === null)).toEqual([])
})

test('a short code in a sentence stays on one line, and a long one may break', () => {
  const drawn = readMarkdown('With `--full-refresh` or `headgate run task.yaml --full-refresh`.').render({
    link: () => null,
    picture: () => '',
  })
  expect(drawn).toContain('<code class="hg-doc-whole">--full-refresh</code>')
  expect(drawn).toContain('<code>headgate run task.yaml --full-refresh</code>')
})

describe('the build', () => {
  test('writes a site that leads nowhere else, and whose every address is there', { timeout: 120_000 }, () => {
    const out = mkdtempSync(join(tmpdir(), 'headgate-docs-'))
    try {
      execFileSync(process.execPath, ['tools/docs/build.ts', '--out', out], { stdio: 'pipe' })
      const files = new Set(readdirSync(out, { recursive: true, encoding: 'utf8' }))
      const missing: string[] = []
      for (const page of [...files].filter((name) => name.endsWith('.html'))) {
        const html = readFileSync(join(out, page), 'utf8')
        for (const [, address = ''] of html.matchAll(/(?:href|src)="([^"]*)"/g)) {
          const [file = ''] = address.split('#', 1)
          if (file !== '' && !files.has(file) && !file.startsWith('headgate://')) missing.push(`${page}: ${address}`)
        }
      }
      expect(missing).toEqual([])
      expect(readFileSync(join(out, 'site.css'), 'utf8')).not.toMatch(/https?:\/\//)
    } finally {
      rmSync(out, { recursive: true, force: true })
    }
  })
})

describe('a page', () => {
  test('names its headings as GitHub does, twice the same one differently', () => {
    expect(slugOf('Pause, resume & rerun: `AUTH_ERROR`')).toBe('pause-resume--rerun-auth_error')
    const { headings } = readMarkdown('# T\n\n## Same\n\n## Same\n')
    expect(headings.map(({ id }) => id)).toEqual(['t', 'same', 'same-1'])
  })

  test('takes HTML for text', () => {
    const html = readMarkdown('# T\n\n<script>alert(1)</script> <b>x</b>\n').render({
      link: () => null,
      picture: () => '',
    })
    expect(html).not.toMatch(/<script|<b>x/)
  })

  test('of the window has no address outside of it', () => {
    const pages = library.pages.filter(({ inApp }) => inApp)
    for (const page of pages) {
      for (const [, href = ''] of appHtml(library, page, root).matchAll(/href="([^"]*)"/g))
        expect(href).toMatch(/^[/#]/)
    }
  })
})
