import { type RefObject, useEffect } from 'react'
import { useLocation } from 'react-router'
import { termPattern } from './docs-search.ts'

/** As `article.css` names it. */
const name = 'hg-found'

const noTerms: readonly string[] = []

/** What the search has found, as the link from there tells it. */
function termsIn(state: unknown): readonly string[] {
  if (typeof state !== 'object' || state === null || !('found' in state) || !Array.isArray(state.found)) return noTerms
  return state.found.filter((term) => typeof term === 'string' && term !== '')
}

/** What was looked for, as the link from there tells it. */
export const askedIn = (state: unknown): string =>
  typeof state === 'object' && state !== null && 'query' in state && typeof state.query === 'string' ? state.query : ''

function* rangesIn(root: HTMLElement, pattern: RegExp): Generator<Range> {
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    for (const { index, 0: word } of (text.nodeValue ?? '').matchAll(pattern)) {
      const range = new Range()
      range.setStart(text, index)
      range.setEnd(text, index + word.length)
      yield range
    }
  }
}

/** Marks the words that led here in the text, which itself stays as it is. */
export function useFoundWords(article: RefObject<HTMLElement | null>): void {
  const { state } = useLocation() as { state: unknown } // any, by its type
  useEffect(() => {
    const terms = termsIn(state)
    if (!article.current || terms.length === 0) return undefined
    CSS.highlights.set(name, new Highlight(...rangesIn(article.current, termPattern(terms))))
    return () => void CSS.highlights.delete(name)
  }, [article, state])
}
