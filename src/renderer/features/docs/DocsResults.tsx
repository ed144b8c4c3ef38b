import { IconSearchOff } from '@tabler/icons-react'
import { Fragment, type KeyboardEvent, useDeferredValue, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import json from 'virtual:headgate-docs/search'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { type DocsHit, type TextPart, findSections, openIndex } from './docs-search.ts'
import classes from './docs.module.css'

const index = openIndex(json)

/** Arrows go from result to result, and from the first one back to the search. */
function move(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const results = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-docs-result]')]
  const at = results.findIndex((one) => one === document.activeElement)
  event.preventDefault()
  if (event.key === 'ArrowUp' && at <= 0) document.querySelector<HTMLElement>('[role="search"] input')?.focus()
  else results[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus()
}

/** What was found, by heading, with the place in the text. */
export function DocsResults({ query }: { query: string }) {
  const { t } = useTranslation('docs')
  const settled = useDeferredValue(query)
  const hits = useMemo(() => findSections(index, settled, 30), [settled])
  if (hits.length === 0) {
    return (
      <EmptyState icon={IconSearchOff} title={t('search.nothing', { query: settled })} text={t('search.nothingText')} />
    )
  }
  return (
    // The list itself is no control: its links are.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={classes.results} onKeyDown={move}>
      <p className={classes.count} role="status">
        {t('search.results', { count: hits.length })}
      </p>
      {hits.map((hit) => (
        <Result key={`${hit.slug}#${hit.anchor}`} hit={hit} query={settled} />
      ))}
    </div>
  )
}

const Marked = ({ parts }: { parts: readonly TextPart[] }) =>
  parts.map(({ text, hit, code }, index) => {
    const word = hit ? <mark>{text}</mark> : text
    // The parts of a text have no other name than their place.
    // oxlint-disable-next-line react/no-array-index-key
    return <Fragment key={index}>{code ? <code>{word}</code> : word}</Fragment>
  })

function Result({ hit, query }: { hit: DocsHit; query: string }) {
  const { pathname, hash } = useLocation()
  const to = paths.docs(hit.slug, hit.anchor)
  return (
    <Link
      to={to}
      aria-current={pathname + hash === to ? 'page' : undefined}
      state={{ found: hit.terms, query }}
      className={classes.result}
      lang="en"
      data-docs-result
    >
      <span className={classes.resultTitle}>
        {hit.heading === hit.title ? null : <span>{hit.title} ›</span>}
        <b>
          <Marked parts={hit.marked} />
        </b>
      </span>
      {hit.excerpt.length > 0 ? (
        <span className={classes.excerpt}>
          <Marked parts={hit.excerpt} />
        </span>
      ) : null}
    </Link>
  )
}
