// `npm run docs`: docs/*.md as a site in out/docs that needs no server and no network. Links to nothing, pictures that are missing,
// pages that no navigation names and examples that differ from their files end it with status 1. `--update` writes the examples and
// the texts of diagnostics into the pages first; `--out DIR` writes elsewhere.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'vite'
import { buildIndex } from '../../src/renderer/features/docs/docs-search.ts'
import { updateExamples } from './examples.ts'
import { readLibrary, searchable } from './library.ts'
import { updateReasons } from './reasons.ts'
import { assetAddress, sitePage, siteTokens } from './site.ts'

const { values } = parseArgs({ options: { out: { type: 'string', default: 'out/docs' }, update: { type: 'boolean' } } })
const root = process.cwd()
if (values.update) {
  updateExamples(root)
  updateReasons(root)
}
const library = readLibrary(root)
if (library.problems.length > 0) {
  console.error(`${library.problems.join('\n')}\n\nThe documentation has ${library.problems.length} mistakes.`)
  process.exit(1)
}

const { out } = values
rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })
const assets = new Set<string>()
for (const page of library.pages) {
  const html = sitePage(library, page, root, (path) => assets.add(path))
  writeFileSync(join(out, `${page.slug}.html`), html)
}
for (const path of assets) {
  mkdirSync(join(out, dirname(assetAddress(path))), { recursive: true })
  copyFileSync(path, join(out, assetAddress(path)))
}
copyFileSync('resources/icon.svg', join(out, 'icon.svg'))
const styles = ['src/renderer/features/docs/article.css', 'tools/docs/site.css'].map((file) =>
  readFileSync(file, 'utf8'),
)
writeFileSync(join(out, 'site.css'), [siteTokens(), ...styles].join('\n'))
writeFileSync(
  join(out, 'search-index.js'),
  `globalThis.headgateDocsIndex = ${JSON.stringify(buildIndex(searchable(library.pages)))}\n`,
)
await build({
  configFile: false,
  logLevel: 'warn',
  publicDir: false,
  build: {
    outDir: out,
    emptyOutDir: false,
    lib: {
      entry: join(root, 'tools/docs/site-search.ts'),
      formats: ['iife'],
      name: 'headgateDocs',
      fileName: () => 'search.js',
    },
  },
})
console.log(`${library.pages.length} pages and ${assets.size} pictures in ${out}: open ${join(out, 'index.html')}`)
