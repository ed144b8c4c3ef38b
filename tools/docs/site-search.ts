/** The search field of the site. The index comes as a script: pages that are opened as files may fetch nothing. */
import { type DocsHit, type TextPart, findSections, openIndex } from '../../src/renderer/features/docs/docs-search.ts'

declare global {
  /** Written by build.ts into search-index.js. */
  var headgateDocsIndex: string
}

const input = document.querySelector<HTMLInputElement>('#search')
const list = document.querySelector<HTMLUListElement>('#results')
const menu = document.querySelector<HTMLButtonElement>('.menu')
if (input && list) search(input, list)
menu?.addEventListener('click', () => {
  menu.setAttribute('aria-expanded', String(menu.getAttribute('aria-expanded') !== 'true'))
})

function search(input: HTMLInputElement, list: HTMLUListElement): void {
  const index = openIndex(globalThis.headgateDocsIndex)
  const links = () => [...list.querySelectorAll('a')]
  const show = () => {
    const query = input.value.trim()
    list.hidden = query === ''
    if (query === '') return
    const hits = findSections(index, query, 12)
    list.replaceChildren(...(hits.length > 0 ? hits.map(entryOf) : [nothing(query)]))
  }
  input.addEventListener('input', show)
  input.addEventListener('focus', show)
  document.addEventListener('click', (event) => {
    if (event.target instanceof Node && !list.contains(event.target) && event.target !== input) list.hidden = true
  })
  document.addEventListener('keydown', (event) => {
    const typing = event.target instanceof HTMLInputElement
    if (event.key === '/' && !typing) {
      event.preventDefault()
      input.focus()
      input.select()
    } else if (event.key === 'Escape') {
      list.hidden = true
      input.blur()
    } else if (event.key === 'Enter' && typing) links()[0]?.click()
    else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && !list.hidden) {
      const all: HTMLElement[] = [input, ...links()]
      const at = all.findIndex((one) => one === document.activeElement)
      event.preventDefault()
      all.at((at + (event.key === 'ArrowDown' ? 1 : -1)) % all.length)?.focus()
    }
  })
}

function entryOf(hit: DocsHit): HTMLLIElement {
  const item = document.createElement('li')
  const link = document.createElement('a')
  link.href = `${hit.slug}.html${hit.anchor === '' ? '' : `#${hit.anchor}`}`
  const title = document.createElement('b')
  title.append(...hit.marked.map(partOf))
  const excerpt = document.createElement('small')
  excerpt.append(...hit.excerpt.map(partOf))
  link.append(hit.heading === hit.title ? '' : `${hit.title} › `, title, excerpt)
  item.append(link)
  return item
}

function partOf({ text, hit, code }: TextPart): Node {
  const names = [...(code ? ['code'] : []), ...(hit ? ['mark'] : [])]
  return names.reduceRight<Node>((inner, name) => {
    const element = document.createElement(name)
    element.append(inner)
    return element
  }, document.createTextNode(text))
}

function nothing(query: string): HTMLLIElement {
  const item = document.createElement('li')
  const text = document.createElement('p')
  text.textContent = `No results for “${query}”. Try fewer words or an error code.`
  item.append(text)
  return item
}
