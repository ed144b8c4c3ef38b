import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type DocsHeading, headingPrefix } from './docs.types.ts'
import { SideNavHeading } from '../../ui/SideNav.tsx'
import classes from './docs.module.css'

/** How far below the edge a heading counts as reached. */
const reachedPx = 80

function useCurrentHeading(headings: readonly DocsHeading[], scroller: HTMLElement | null): string {
  const [current, setCurrent] = useState('')
  useEffect(() => {
    if (!scroller) return undefined
    const look = () => {
      const edge = scroller.getBoundingClientRect().top + reachedPx
      const atEnd = scroller.scrollTop > 0 && scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 2
      const passed = headings.filter(({ id }) => {
        const heading = document.getElementById(headingPrefix + id)
        return heading !== null && (atEnd || heading.getBoundingClientRect().top <= edge)
      })
      setCurrent(passed.at(-1)?.id ?? '')
    }
    look()
    scroller.addEventListener('scroll', look, { passive: true })
    return () => scroller.removeEventListener('scroll', look)
  }, [headings, scroller])
  return current
}

/** The headings of the page at hand; gone where there is no room. */
export function DocsToc({ headings, scroller }: { headings: readonly DocsHeading[]; scroller: HTMLElement | null }) {
  const { t } = useTranslation('docs')
  const shown = headings.filter(({ level }) => level <= 3)
  const current = useCurrentHeading(shown, scroller)
  if (shown.length < 2) return null
  return (
    <nav className={classes.toc} aria-label={t('onThisPage')}>
      <SideNavHeading>{t('onThisPage')}</SideNavHeading>
      {shown.map(({ id, text, level }) => (
        <Link
          key={id}
          to={{ hash: id }}
          className={classes.heading}
          data-level={level}
          aria-current={id === current ? 'location' : undefined}
        >
          {text}
        </Link>
      ))}
    </nav>
  )
}
