/**
 * The little Markdown that the language's own descriptions use: paragraphs, lists, `code`, **bold** and fenced code.
 * Built from text nodes, so nothing in it can become markup.
 */
export function renderMarkdown(markdown: string): HTMLElement {
  const root = document.createElement('div')
  for (const block of parseBlocks(markdown)) root.append(renderBlock(block))
  return root
}

export type Block = { kind: 'text'; text: string } | { kind: 'code'; text: string } | { kind: 'list'; items: string[] }

export function parseBlocks(markdown: string): Block[] {
  const blocks: Block[] = []
  let fence: string[] | null = null
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) {
      if (fence) blocks.push({ kind: 'code', text: fence.join('\n') })
      fence = fence ? null : []
    } else if (fence) fence.push(line)
    else addLine(blocks, line)
  }
  if (fence && fence.length > 0) blocks.push({ kind: 'code', text: fence.join('\n') })
  return blocks.filter((block) => block.kind !== 'text' || block.text !== '')
}

function addLine(blocks: Block[], line: string): void {
  const last = blocks.at(-1)
  const item = /^\s*[-*] (.*)$/.exec(line)?.[1]
  if (item !== undefined) {
    if (last?.kind === 'list') last.items.push(item)
    else blocks.push({ kind: 'list', items: [item] })
  } else if (line.trim() === '') blocks.push({ kind: 'text', text: '' })
  else if (last?.kind === 'text' && last.text !== '') last.text += ` ${line.trim()}`
  else blocks.push({ kind: 'text', text: line.trim() })
}

function renderBlock(block: Block): HTMLElement {
  if (block.kind === 'code') {
    const pre = document.createElement('pre')
    pre.textContent = block.text
    pre.style.cssText = 'font-family:var(--mantine-font-family-monospace);margin:4px 0;white-space:pre-wrap'
    return pre
  }
  if (block.kind === 'list') {
    const list = document.createElement('ul')
    list.style.cssText = 'margin:4px 0;padding-left:16px'
    for (const item of block.items) {
      const entry = document.createElement('li')
      entry.append(...inline(item))
      list.append(entry)
    }
    return list
  }
  const paragraph = document.createElement('p')
  paragraph.style.margin = '0 0 4px'
  paragraph.append(...inline(block.text))
  return paragraph
}

export type Inline = { kind: 'text' | 'code' | 'bold'; text: string; /** Place in the sentence. */ at: number }

export function parseInline(text: string): Inline[] {
  let at = 0
  return text
    .split(/(`[^`]+`|\*\*[^*]+\*\*)/)
    .map((part, index): Inline => {
      const place = at
      at += part.length
      // split() gives what was caught at the odd places.
      if (index % 2 === 0) return { kind: 'text', text: part, at: place }
      if (part.startsWith('`')) return { kind: 'code', text: part.slice(1, -1), at: place }
      return { kind: 'bold', text: part.slice(2, -2), at: place }
    })
    .filter((part) => part.text !== '')
}

export function inline(text: string): Node[] {
  return parseInline(text).map((part) => {
    if (part.kind === 'text') return document.createTextNode(part.text)
    const element = document.createElement(part.kind === 'code' ? 'code' : 'strong')
    element.textContent = part.text
    if (part.kind === 'code') element.style.fontFamily = 'var(--mantine-font-family-monospace)'
    return element
  })
}
