/** Pictures of the documentation: one file, or a pair `…-light.png` and `…-dark.png` of which the page shows one. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { escapeHtml } from './highlight.ts'

/** HTML of the picture that the page `file` calls `src`; `address` says how its file (from the root) is named there. */
export function pictureHtml(
  root: string,
  file: string,
  { src, alt }: { src: string; alt: string },
  address: (path: string) => string,
): string {
  const path = join(dirname(file), src)
  // Drawings are part of the page, so that they take its colours.
  if (path.endsWith('.svg') && existsSync(join(root, path))) {
    const svg = readFileSync(join(root, path), 'utf8').replace(/^<\?xml[^>]*>\s*/, '')
    return `<span class="hg-doc-drawing" role="img" aria-label="${escapeHtml(alt)}">${svg}</span>`
  }
  const one = (from: string, only: string) => {
    const { width, height } = pngSize(join(root, from))
    return `<img src="${address(from)}" alt="${escapeHtml(alt)}" width="${width}" height="${height}" loading="lazy"${only}>`
  }
  if (!existsSync(join(root, path))) return ''
  const pair = ['light', 'dark'].map((scheme) => path.replace(/-(?:light|dark)(?=\.png$)/, `-${scheme}`))
  const [light = path, dark = path] = pair
  if (light === dark || !pair.every((from) => existsSync(join(root, from)))) return one(path, '')
  return one(light, ' data-scheme="light"') + one(dark, ' data-scheme="dark"')
}

/** Room is kept for a picture while it loads: nothing jumps. */
function pngSize(path: string): { width: number; height: number } {
  const header = readFileSync(path).subarray(16, 24)
  return { width: header.readUInt32BE(0), height: header.readUInt32BE(4) }
}
