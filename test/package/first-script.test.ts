// What the window's first page has to load before it shows anything: the bar is 300 kB compressed, all else comes with its route.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { built, root } from './packed-app.ts'

const renderer = join(root, built, 'renderer')

/** The script of index.html and all that it imports before it runs. */
function firstScripts(): string[] {
  const html = readFileSync(join(renderer, 'index.html'), 'utf8')
  const named = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(([, path]) => path!)
  const found = new Set<string>()
  const visit = (path: string): void => {
    if (found.has(path)) return
    found.add(path)
    const code = readFileSync(join(renderer, path), 'utf8')
    // `import … from "./x.js"` and `import "./x.js"`; what is imported later has a bracket before its name.
    for (const [, name] of code.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)) visit(`assets/${name}`)
  }
  named.forEach(visit)
  return [...found]
}

test('the first script of the window stays below 300 kB compressed', () => {
  const scripts = firstScripts()
  expect(scripts.length).toBeGreaterThan(0)
  const sizes = scripts.map((path) => ({ path, bytes: gzipSync(readFileSync(join(renderer, path))).length }))
  const sum = sizes.reduce((all, { bytes }) => all + bytes, 0)
  // With what is largest, for whoever has to find what came in.
  const largest = sizes.toSorted((a, b) => b.bytes - a.bytes).slice(0, 8)
  expect({ fits: sum <= 300_000, sum, largest }).toMatchObject({ fits: true })
})
