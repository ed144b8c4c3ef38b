import { useLayoutEffect, useRef } from 'react'
import { renderMarkdown } from './markdown.ts'

/** The language's own descriptions, drawn as in the editor's tooltips. */
export function Markdown({ text }: { text: string }) {
  const host = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    host.current?.replaceChildren(renderMarkdown(text))
  }, [text])
  return <div ref={host} />
}
