/** One page of docs/ as HTML, and what else is known of it. Raw HTML is text; links and pictures go where the host says. */
import MarkdownIt, { type MarkdownIt as Markdown, type Token } from 'markdown-it'
import anchor from 'markdown-it-anchor'
import type { DocsHeading } from '../../src/renderer/features/docs/docs.types.ts'
import { escapeHtml, highlight } from './highlight.ts'

export interface Fence {
  /** Language. */
  language: string
  /** What stands behind it: `invalid`, a file. */
  note: string
  content: string
  line: number
}

export interface MarkdownPage {
  title: string
  summary: string
  headings: DocsHeading[]
  sections: { anchor: string; heading: string; text: string; table: string; code: string }[]
  fences: Fence[]
  links: { href: string; line: number }[]
  pictures: { src: string; alt: string; line: number }[]
  /** Words outside of code. */
  prose: { text: string; line: number }[]
  render(host: Host): string
}

export interface Host {
  /** The address to write, or null where the host has no such place: then its words stand alone. */
  link(href: string): { href: string; external?: boolean } | null
  /** HTML of a picture. */
  picture(src: string, alt: string): string
  /** Before the ids of headings: in the window a heading must not be taken for another part of it. */
  idPrefix?: string
}

/** As GitHub names headings, so that links hold there, too. */
export const slugOf = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')

const comments = /^<!--[\s\S]*?-->\n/gm

export function readMarkdown(source: string): MarkdownPage {
  // A comment keeps its lines, so that problems name the right ones.
  const text = source.replaceAll(comments, (comment) => comment.replaceAll(/[^\n]/g, ''))
  const md = new MarkdownIt({ html: false, linkify: false, typographer: false }).use(anchor, {
    slugify: slugOf,
    tabIndex: false,
    uniqueSlugStartIndex: 1,
  })
  // The one tag that pages have: cells of a table can’t break their lines otherwise.
  md.inline.ruler.before('html_inline', 'br', (state, silent) => {
    if (!state.src.startsWith('<br>', state.pos)) return false
    if (!silent) state.push('hardbreak', 'br', 0)
    state.pos += '<br>'.length
    return true
  })
  const tokens = md.parse(text, {})
  capitalizeCells(tokens)
  curlApostrophes(tokens)
  const found = inspect(tokens)
  return { ...found, render: (host) => renderTokens(md, tokens, host) }
}

/** As in the window. Code keeps its signs. */
function curlApostrophes(tokens: readonly Token[]): void {
  for (const { children } of tokens) {
    for (const child of children ?? []) {
      if (child.type === 'text') child.content = child.content.replaceAll(/(?<=\p{L})'(?=\p{L})/gu, '’')
    }
  }
}

/** Names that are written small wherever they stand: types of values, commands, products. */
const small =
  'any|boolean|bytes|date|datetime|decimal|false|integer|list|map|moment|null|number|object|string|text|time|timestamp|true|uuid'
const smallCell = new RegExp(`^(?:${small})(?:(?:,| or| and) (?:${small}))*$|^(?:headgate|npm|openai)\\b`)

/** Heads and cells of tables begin as sentences do; code and names of types stay as they are. */
function capitalizeCells(tokens: readonly Token[]): void {
  for (const [index, { type }] of tokens.entries()) {
    if (type !== 'th_open' && type !== 'td_open') continue
    const cell = tokens[index + 1]
    const first = cell?.children?.[0]
    if (first?.type !== 'text' || !/^[a-z][a-z’'-]*(?:[ ,;:.]|$)/.test(first.content)) continue
    if (type === 'td_open' && smallCell.test(cell?.content ?? '')) continue
    first.content = first.content.charAt(0).toUpperCase() + first.content.slice(1)
  }
}

const attribute = (token: Token | undefined, name: string): string => String(token?.attrGet(name) ?? '')

/** Inline codes of up to this length aren’t split between two lines. */
const longestWhole = 24

const wordsOf = ({ type, content }: Token) => (type === 'softbreak' || type === 'hardbreak' ? ' ' : content)

/** The words of a line, without its marks. */
function plain(token: Token | undefined): string {
  return (token?.children ?? []).map(wordsOf).join('')
}

/** As `plain`, with its code marked. */
function marked({ children }: Token): string {
  return (children ?? [])
    .map((child) => (child.type === 'code_inline' ? `\`${child.content}\`` : wordsOf(child)))
    .join('')
}

/** The code that an item of a list begins with, followed by a colon. */
function reasonOf(item: Token | undefined): string | null {
  const [code, after] = item?.children ?? []
  const isReason = code?.type === 'code_inline' && /^[a-z][a-z0-9_]*$/.test(code.content)
  return isReason && after?.content === ': ' ? code.content : null
}

type Found = Omit<MarkdownPage, 'render'>

function inspect(tokens: readonly Token[]): Found {
  const found: Found = {
    title: '',
    summary: '',
    headings: [],
    sections: [{ anchor: '', heading: '', text: '', table: '', code: '' }],
    fences: [],
    links: [],
    pictures: [],
    prose: [],
  }
  let line = 1
  for (const [index, token] of tokens.entries()) {
    // Cells of a table have no line of their own.
    line = token.map ? token.map[0] + 1 : line
    if (token.type === 'heading_open') {
      const text = plain(tokens[index + 1])
      const id = attribute(token, 'id')
      const level = Number(token.tag.slice(1))
      found.headings.push({ id, text, level })
      if (level === 1) found.title = text
      else found.sections.push({ anchor: id, heading: text, text: '', table: '', code: '' })
    }
    if (token.type === 'fence') {
      const [language = '', ...note] = token.info.trim().split(/\s+/)
      found.fences.push({ language, note: note.join(' '), content: token.content, line })
      addText(found, 'code', token.content)
    }
    if (token.type === 'inline') inspectInline(found, token, tokens[index - 1]?.type ?? '', line)
  }
  return found
}

function inspectInline(found: Found, token: Token, parent: string, line: number): void {
  const words = plain(token)
  if (isCell(parent)) addText(found, 'table', marked(token), ' · ')
  else if (parent !== 'heading_open') addText(found, 'text', marked(token))
  if (parent === 'paragraph_open' && found.summary === '' && !words.startsWith('!')) found.summary = words
  for (const child of token.children ?? []) {
    if (child.type === 'link_open') found.links.push({ href: attribute(child, 'href'), line })
    if (child.type === 'image') found.pictures.push({ src: attribute(child, 'src'), alt: child.content, line })
    if (child.type === 'text') found.prose.push({ text: child.content, line })
  }
}

/** Cells of a table are no sentences: an excerpt keeps them apart. */
const isCell = (parent: string) => parent === 'td_open' || parent === 'th_open'

function addText(found: Found, to: 'text' | 'table' | 'code', words: string, joint = ' '): void {
  const section = found.sections.at(-1)
  const more = words.replaceAll(/\s+/g, ' ').trim()
  if (section && more !== '') section[to] += `${section[to] === '' ? '' : joint}${more}`
}

function renderTokens(md: Markdown, tokens: Token[], host: Host): string {
  const { rules } = md.renderer
  /** Whether the link that is open is written as one. */
  const open: boolean[] = []
  rules['link_open'] = (all, index) => {
    const to = host.link(attribute(all[index], 'href'))
    open.push(to !== null)
    if (!to) return '<b>'
    return `<a href="${escapeHtml(to.href)}"${to.external ? ' target="_blank" rel="noreferrer"' : ''}>`
  }
  rules['link_close'] = () => (open.pop() ? '</a>' : '</b>')
  rules['image'] = (all, index) => {
    const token = all[index]
    return host.picture(attribute(token, 'src'), token?.content ?? '')
  }
  // A group, for no landmarks of a page may share a name.
  rules['table_open'] = () => '<div class="hg-doc-table" tabindex="0" role="group" aria-label="Table"><table>'
  rules['table_close'] = () => '</table></div>'
  // A corner without words is the head of nothing.
  rules['th_open'] = (all, index) => (all[index + 1]?.content === '' ? '<td>' : '<th>')
  rules['th_close'] = (all, index) => (all[index - 1]?.content === '' ? '</td>' : '</th>')
  rules['fence'] = (all, index) => {
    const token = all[index]
    const language = token?.info.trim().split(/\s+/, 1)[0] ?? ''
    return `<pre tabindex="0" data-language="${escapeHtml(language)}"><code>${highlight(token?.content ?? '', language)}</code></pre>\n`
  }
  rules['code_inline'] = (all, index) => {
    const code = all[index]?.content ?? ''
    return `<code${code.length > longestWhole ? '' : ' class="hg-doc-whole"'}>${escapeHtml(code)}</code>`
  }
  // Items that begin with a code can be linked to: `reason-` keeps them apart from headings.
  rules['list_item_open'] = (all, index) => {
    const reason = reasonOf(all[index + 2])
    return reason === null ? '<li>' : `<li id="${escapeHtml(`${host.idPrefix ?? ''}reason-${reason}`)}">`
  }
  rules['heading_open'] = (all, index) => {
    const token = all[index]
    const id = `${host.idPrefix ?? ''}${attribute(token, 'id')}`
    return token?.tag === 'h1' ? '<h1>' : `<${token?.tag ?? 'h2'} id="${escapeHtml(id)}">`
  }
  rules['heading_close'] = (all, index) => {
    const tag = all[index]?.tag ?? 'h2'
    const id = attribute(all[index - 2], 'id')
    const link = `<a class="hg-doc-anchor" href="#${escapeHtml(id)}" aria-label="Link to this section">#</a>`
    return `${tag === 'h1' ? '' : link}</${tag}>\n`
  }
  return md.renderer.render(tokens, md.options, {})
}
