/** Going through the window as somebody does who never reloads it, and looking at each page only when it is all there. */
import AxeBuilder from '@axe-core/playwright'
import { type Locator, type Page, expect } from '@playwright/test'

type RunOptions = Parameters<AxeBuilder['options']>[0]

/** Neighbours in the list of screens often share a page; in this order none does, so that a new head tells a new page. */
export function spread<T>(list: readonly T[]): T[] {
  let step = 11
  while (list.length % step === 0) step += 2
  return list.map((_, index) => list[(index * step) % list.length]).filter((one) => one !== undefined)
}

/** Nothing is loading any more. */
export async function settled(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
}

/** To another page of the window, without a new document. */
export async function goWithin(page: Page, address: string): Promise<void> {
  await page.evaluate((to) => {
    document.querySelector('h1')?.setAttribute('data-before', '')
    history.pushState({ idx: history.length, key: to, usr: null }, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
  }, address)
  await expect(page.locator('h1[data-before]')).toHaveCount(0)
  await settled(page)
}

/** Presses Tab, or what is said, until the keyboard stands there, as hands without a mouse do. */
export async function tabTo(page: Page, target: Locator, key = 'Tab', most = 90): Promise<void> {
  await expect(target).toBeVisible()
  for (let pressed = 0; pressed < most; pressed++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    // Tab indents in the editor, but after Escape.
    if (await page.evaluate(() => document.activeElement?.matches('.cm-content'))) await page.keyboard.press('Escape')
    await page.keyboard.press(key)
  }
  await expect(target, `${key} reaches it`).toBeFocused()
}

type Found = Awaited<ReturnType<AxeBuilder['analyze']>>['violations']

/** What axe finds, of which it says only what is wrong: to list what is right takes it longer. */
async function foundBy(page: Page, options: RunOptions = {}, rules?: string[]): Promise<Found> {
  // Its second page, which checks frames of other origins, is of no use here: there are none.
  const axe = new AxeBuilder({ page }).setLegacyMode(true)
  const { violations, incomplete } = await (rules ? axe.withRules(rules) : axe)
    .options({ resultTypes: ['violations', 'incomplete'], ...options })
    .analyze()
  // To words of the very color of their ground axe has no opinion.
  const unseen = incomplete.flatMap((one) => {
    const nodes = one.nodes.filter(({ any }) => any.some(({ data }) => data?.messageKey === 'equalRatio'))
    return nodes.length > 0 ? [{ ...one, nodes }] : []
  })
  return [...violations, ...unseen]
}

/** Fails when axe finds something serious on the page, in the colours that it has now. */
export async function expectAccessible(page: Page): Promise<void> {
  const grave = (await foundBy(page)).filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(told(grave).join('\n'), 'serious findings of axe').toBe('')
}

/** What axe finds on the page, whatever its weight; in high contrast words have to hold 7:1. */
export async function axeFindings(page: Page, highContrast = false): Promise<string[]> {
  const enhanced = { 'color-contrast-enhanced': { enabled: true } }
  return told(await foundBy(page, highContrast ? { rules: enhanced } : {}))
}

/** Whether words stand out in the colours that the page has now. */
export async function contrastFindings(page: Page): Promise<string[]> {
  return told(await foundBy(page, {}, ['color-contrast']))
}

function told(found: Found): string[] {
  return found.map(
    ({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map(({ html }) => html.slice(0, 300)).join('\n  ')}`,
  )
}

/** What does not fit into the width of the window: parts that scroll or are cut sideways, controls beyond its edges. Tables, graphs and code may scroll by themselves. */
export async function misfits(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const wide = innerWidth
    const found = new Set<string>()
    const own = '[role="grid"], [role="tree"], [data-wide], .cm-editor, .react-flow, pre, table'
    const name = (element: Element) =>
      `${element.tagName.toLowerCase()} “${(element.getAttribute('aria-label') ?? element.textContent ?? '').slice(0, 40)}”`
    if (document.documentElement.scrollWidth > wide) found.add('the page itself is wider than the window')
    for (const element of document.querySelectorAll('main *, nav *, header *')) {
      const style = getComputedStyle(element)
      const box = element.getBoundingClientRect()
      // What is only said, and what holds a table, a log or code.
      if (box.width <= 1 || style.visibility === 'hidden' || style.clipPath !== 'none') continue
      if (element.closest(own) || element.querySelector(own)) continue
      const over = element.scrollWidth > element.clientWidth + 1
      if (over && /auto|scroll/.test(style.overflowX)) found.add(`scrolls sideways: ${name(element)}`)
      if (element.matches('a, button, input, [role="tab"]') && (box.right > wide + 1 || box.left < -1)) {
        found.add(`beyond the edge: ${name(element)}`)
      }
    }
    return [...found]
  })
}

/** Controls and dates of the page that are seen in part: cut by what holds them without scrolling, or with a label that has no room. */
export async function cutControls(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found = new Set<string>()
    const clips = ({ overflowX, overflowY }: CSSStyleDeclaration) => /hidden|clip/.test(overflowX + overflowY)
    for (const control of document.querySelectorAll('main :is(button, [role="tab"], [role="radio"], input)')) {
      const box = control.getBoundingClientRect()
      const name = `“${(control.getAttribute('aria-label') ?? control.textContent ?? '').slice(0, 40)}”`
      // Graphs are moved by hand.
      if (control.closest('.react-flow')) continue
      // What is only said, or held by a radio's own look.
      if (box.width <= 1 || box.height <= 1 || !control.checkVisibility({ opacityProperty: true })) continue
      for (const label of control.querySelectorAll('.mantine-Button-label'))
        if (label.scrollWidth > label.clientWidth + 1) found.add(`label cut: ${name}`)
      for (let held = control.parentElement; held && held.tagName !== 'MAIN'; held = held.parentElement) {
        const style = getComputedStyle(held)
        // What scrolls can be brought into sight; so can all beyond it.
        if (/auto|scroll/.test(style.overflowX + style.overflowY)) break
        const pane = held.getBoundingClientRect()
        if (clips(style) && (box.right > pane.right + 1 || box.left < pane.left - 1)) found.add(`cut: ${name}`)
      }
    }
    for (const cell of document.querySelectorAll('main td:has(time)'))
      if (cell.scrollWidth > cell.clientWidth + 1) found.add(`date cut: ${cell.textContent}`)
    return [...found]
  })
}

/** Adds up how far things on the page jump by themselves; `read` gives the sum since the page was loaded. */
export async function watchShifts(page: Page): Promise<{ read: () => Promise<{ sum: number; worst: string }> }> {
  await page.addInitScript(() => {
    const shifts: { value: number; what: string }[] = []
    Object.assign(globalThis, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        // The types of the DOM library do not have layout shifts yet.
        const shift = entry as PerformanceEntry & {
          value: number
          hadRecentInput: boolean
          sources: readonly { node: Node | null }[]
        }
        if (shift.hadRecentInput) continue
        const what = shift.sources.map(({ node }) => node?.textContent?.slice(0, 60) ?? '').join(' | ')
        shifts.push({ value: shift.value, what })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return {
    read: () =>
      page.evaluate(() => {
        // Put there above.
        const { shifts } = globalThis as unknown as { shifts: { value: number; what: string }[] }
        const worst = shifts.toSorted((a, b) => b.value - a.value)[0]
        return { sum: shifts.reduce((sum, { value }) => sum + value, 0), worst: worst?.what ?? '' }
      }),
  }
}
