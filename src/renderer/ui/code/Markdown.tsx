import { useLayoutEffect, useRef } from 'react'
import { parseInline, renderMarkdown } from './markdown.ts'

/** The language's own descriptions, drawn as in the editor's tooltips. */
export function Markdown({ text }: { text: string }) {
  const host = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    host.current?.replaceChildren(renderMarkdown(text))
  }, [text])
  return <div ref={host} />
}

/** One sentence of the language's own: `code` and **bold** in it are drawn as such. */
export function InlineText({ text }: { text: string }) {
  return parseInline(text).map((part) => {
    if (part.kind === 'code') return <code key={part.at}>{part.text}</code>
    return part.kind === 'bold' ? <b key={part.at}>{part.text}</b> : part.text
  })
}
