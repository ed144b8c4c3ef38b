// `node tools/package/tray-icons.ts`: draws the icon of the tray in each of its states, for plain and dense screens. The coloured ones
// stand on a tile of their own and are seen on light and dark panels alike; the Mac colours its templates itself. Run by hand when
// the drawing has changed; what it writes is in git.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { chromium } from 'playwright'

const folder = resolve(import.meta.dirname, '../../resources/tray')
const states = ['idle', 'running', 'failed', 'paused'] as const
type State = (typeof states)[number]

/** Of the badge, in a box of 24: a disc at the lower right with a sign in it. */
const disc = { x: 17.5, y: 17.5, r: 6 }
const signs: Record<Exclude<State, 'idle'>, { colour: string; shape: string }> = {
  running: { colour: '#1c7ed6', shape: '<path d="M15.9 14.6 L20.7 17.5 L15.9 20.4 Z"/>' },
  failed: {
    colour: '#e03131',
    shape: '<rect x="16.6" y="13.8" width="1.8" height="4.6" rx=".9"/><circle cx="17.5" cy="20.4" r="1.1"/>',
  },
  paused: {
    colour: '#7048e8',
    shape:
      '<rect x="14.9" y="14.8" width="1.9" height="5.4" rx=".6"/><rect x="18.2" y="14.8" width="1.9" height="5.4" rx=".6"/>',
  },
}
/** The gate of icon.svg, with as many lines as 16 pixels can hold. */
const frame =
  '<rect x="4.5" y="5" width="2.5" height="14" rx=".8"/><rect x="17" y="5" width="2.5" height="14" rx=".8"/><rect x="3" y="4" width="18" height="2.8" rx="1.2"/>'
const leaf = '<rect x="8.2" y="8.8" width="7.6" height="6.4" rx=".8"/>'

/** Room around the badge, so that it stands apart from what is behind it. */
const gap = `<mask id="gap"><rect width="24" height="24" fill="#fff"/><circle cx="${disc.x}" cy="${disc.y}" r="${disc.r + 1.2}" fill="#000"/></mask>`

function coloured(state: State): string {
  const gate = `<rect x=".5" y=".5" width="23" height="23" rx="5.5" fill="#0f6476"/><rect x="1" y="1" width="22" height="22" rx="5" fill="none" stroke="#fff" stroke-opacity=".35"/><g fill="#f1f5f9">${frame}</g><g fill="#ffd08a">${leaf}</g>`
  if (state === 'idle') return gate
  const { colour, shape } = signs[state]
  const badge = `<circle cx="${disc.x}" cy="${disc.y}" r="${disc.r}" fill="${colour}"/><g fill="#fff">${shape}</g>`
  return `${gap}<g mask="url(#gap)">${gate}</g>${badge}`
}

/** Black and nothing: the sign is cut out of its disc. */
function template(state: State): string {
  const gate = `${frame}${leaf}<path d="M2 20.2 h20 v1.6 h-20 z"/>`
  if (state === 'idle') return gate
  const { shape } = signs[state]
  const cut = `<mask id="cut"><circle cx="${disc.x}" cy="${disc.y}" r="${disc.r}" fill="#fff"/><g fill="#000">${shape}</g></mask>`
  return `${gap}${cut}<g mask="url(#gap)">${gate}</g><rect width="24" height="24" mask="url(#cut)"/>`
}

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })

async function draw(name: string, shapes: string, size: number): Promise<void> {
  const page = await browser.newPage({ viewport: { width: size, height: size } })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="${size}" height="${size}">${shapes}</svg>`
  await page.setContent(`<style>*{margin:0}svg{display:block}</style>${svg}`)
  writeFileSync(join(folder, name), await page.screenshot({ omitBackground: true }))
  await page.close()
}

mkdirSync(folder, { recursive: true })
for (const state of states) {
  await draw(`${state}.png`, coloured(state), 24)
  await draw(`${state}@2x.png`, coloured(state), 48)
  await draw(`${state}Template.png`, template(state), 18)
  await draw(`${state}Template@2x.png`, template(state), 36)
}
await browser.close()
