import { type MouseEvent, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate } from 'react-router'
import { paths } from '../../paths.ts'
import './article.css'
import { type DocsPageEntry, headingPrefix } from './docs.types.ts'
import classes from './docs.module.css'
import { useFoundWords } from './use-found-words.ts'

export interface DocsArticleProps {
  /** Made from our own Markdown when the window was built. */
  html: string
  slug: string
  pages: readonly DocsPageEntry[]
  /** What scrolls the article; null before it is there. */
  scroller: HTMLElement | null
}

function idOf(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    // Not one of ours: there is no such heading.
    return ''
  }
}

/** How far somebody had read, by entry of the history: going back leads to the same line. */
const readTo = new Map<string, number>()

function useReadingPlace(scroller: HTMLElement | null): void {
  const { hash, key } = useLocation()
  useLayoutEffect(() => {
    if (!scroller) return undefined
    const before = readTo.get(key)
    const heading = hash === '' ? null : document.getElementById(headingPrefix + idOf(hash))
    if (before !== undefined) scroller.scrollTo(0, before)
    else if (heading) heading.scrollIntoView()
    else scroller.scrollTo(0, 0)
    const remember = () => readTo.set(key, scroller.scrollTop)
    scroller.addEventListener('scroll', remember, { passive: true })
    return () => scroller.removeEventListener('scroll', remember)
  }, [scroller, hash, key])
}

/** A page, with its neighbours below. Links within the window go through its router. */
export function DocsArticle({ html, slug, pages, scroller }: DocsArticleProps) {
  const { t } = useTranslation('docs')
  const navigate = useNavigate()
  useReadingPlace(scroller)
  const article = useRef<HTMLElement>(null)
  useFoundWords(article)
  const follow = (event: MouseEvent) => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const href = link?.getAttribute('href')
    if (!link || link.target !== '' || !href || !/^[/#]/.test(href)) return
    event.preventDefault()
    void navigate(href.startsWith('#') ? { hash: href } : href)
  }
  const at = pages.findIndex((page) => page.slug === slug)
  const [before, after] = [pages[at - 1], pages[at + 1]]
  return (
    <div className={classes.article}>
      {/* Enter on a link is a click, too. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions */}
      <article ref={article} className="hg-doc" lang="en" onClick={follow} dangerouslySetInnerHTML={{ __html: html }} />
      <nav className={classes.turn} aria-label={t('turn')}>
        {before ? <Neighbour page={before} word={t('before')} /> : <span />}
        {after ? <Neighbour page={after} word={t('next')} /> : null}
      </nav>
    </div>
  )
}

function Neighbour({ page, word }: { page: DocsPageEntry; word: string }) {
  return (
    <Link to={paths.docs(page.slug)}>
      <small>{word}</small>
      {page.title}
    </Link>
  )
}
