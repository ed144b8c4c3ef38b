import { ActionIcon } from '@mantine/core'
import { IconChevronDown, IconChevronUp, IconSearchOff } from '@tabler/icons-react'
import { Fragment, type KeyboardEvent, useDeferredValue, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate } from 'react-router'
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
      <Place hits={hits} query={settled} />
      {hits.map((hit) => (
        <Result key={keyOf(hit)} hit={hit} query={settled} />
      ))}
    </div>
  )
}

const keyOf = ({ slug, anchor }: DocsHit) => paths.docs(slug, anchor)
const stateOf = ({ terms }: DocsHit, query: string) => ({ found: terms, query })

/** How many there are; beside the one that is read, its place among them and the way to its neighbors. */
function Place({ hits, query }: { hits: readonly DocsHit[]; query: string }) {
  const { t } = useTranslation('docs')
  const { pathname, hash } = useLocation()
  const navigate = useNavigate()
  const at = hits.findIndex((hit) => keyOf(hit) === pathname + hash)
  const step = (by: 1 | -1) => {
    const hit = hits[at + by]
    const label = t(by === 1 ? 'search.next' : 'search.previous')
    const Icon = by === 1 ? IconChevronDown : IconChevronUp
    return (
      <ActionIcon
        aria-label={label}
        title={label}
        disabled={!hit}
        onClick={() => hit && void navigate(keyOf(hit), { state: stateOf(hit, query) })}
      >
        <Icon size={16} />
      </ActionIcon>
    )
  }
  return (
    <div className={classes.count}>
      <span role="status">
        {at < 0 ? t('search.results', { count: hits.length }) : t('search.place', { at: at + 1, count: hits.length })}
      </span>
      {at < 0 ? null : (
        <span className={classes.steps}>
          {step(-1)}
          {step(1)}
        </span>
      )}
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
  const to = keyOf(hit)
  return (
    <Link
      to={to}
      aria-current={pathname + hash === to ? 'page' : undefined}
      state={stateOf(hit, query)}
      className={classes.result}
      lang="en"
      data-docs-result
    >
      <span className={classes.resultTitle}>
        {hit.heading === hit.title ? null : <span>{hit.title}</span>}
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
