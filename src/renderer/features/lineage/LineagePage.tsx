import { Button, SegmentedControl } from '@mantine/core'
import { IconFilterOff, IconSearchOff, IconVectorSpline } from '@tabler/icons-react'
import { useDeferredValue, useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { getLineage } from '../../../contract/lineage.ts'
import { useOperation } from '../../api/queries.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { EmptyList } from '../../ui/first-step/FirstStep.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { SplitPane } from '../../ui/SplitPane.tsx'
import { SearchField, Toolbar } from '../../ui/Toolbar.tsx'
import { numberText } from '../../ui/format.ts'
import { Graph } from '../../ui/graph/Graph.tsx'
import { prepareLayout } from '../../ui/graph/layout-client.ts'
import { relativeTime } from '../../ui/time.ts'
import { LineageDetails } from './LineageDetails.tsx'
import { type LineageWords, focused, found, graphNodesOf, narrowed, searchTexts } from './lineage-nodes.ts'
import { type LineageFilters, subjectOf, useLineageFilters } from './use-lineage-filters.ts'

/** It follows runs, too, of which there may be hundreds a second. */
const renewMs = 30_000

function useWords(): LineageWords {
  const { t, i18n } = useTranslation('lineage')
  const { language } = i18n
  return useMemo(
    () => ({
      dataset({ last_written: last, pattern, freshness }, filled, now) {
        if (freshness?.state === 'violated') {
          const due = relativeTime(new Date(freshness.deadline_at), new Date(now), t('node.justNow'), language)
          return t('node.overdue', { due })
        }
        if (!last && pattern) return t('node.pattern')
        if (!last) return t(filled ? 'node.neverWritten' : 'node.source')
        const at = new Date(Math.min(Date.parse(last.at), now))
        const when = relativeTime(at, new Date(now), t('node.justNow'), language)
        // There is no room for both; the details have the time.
        return last.rows === null ? when : t('node.lastRun', { count: last.rows, text: numberText(last.rows) })
      },
      task({ jobs, last_run }) {
        const [first] = jobs
        // Behind a status there is little room.
        if (!first) return last_run ? '' : t('node.noJob')
        return jobs.length === 1 ? first.name : t('node.jobs', { count: jobs.length })
      },
    }),
    [t, language],
  )
}

function Filters({ filters, count }: { filters: LineageFilters; count: string | null }) {
  const { t } = useTranslation('lineage')
  return (
    <Toolbar right={count}>
      <SearchField
        value={filters.q}
        onChange={(q) => filters.change({ q: q || null })}
        label={t('search')}
        width={300}
        delay={80}
      />
      {filters.filtered ? (
        <>
          <SegmentedControl
            size="xs"
            aria-label={t('direction.label')}
            data={(['both', 'upstream', 'downstream'] as const).map((value) => ({
              value,
              label: t(`direction.${value}`),
            }))}
            value={filters.direction}
            onChange={(direction) => filters.change({ direction: direction === 'both' ? null : direction })}
          />
          <CommandButton
            id="lineage.all"
            label={t('showAll')}
            variant="default"
            icon={IconFilterOff}
            onClick={filters.clear}
          />
        </>
      ) : null}
    </Toolbar>
  )
}

/** Datasets, and the tasks that fill and read them, as one graph. */
export function LineagePage() {
  const { t } = useTranslation('lineage')
  const filters = useLineageFilters()
  const { node, change } = filters
  const { data, error, refetch } = useOperation(
    getLineage,
    { query: filters.query },
    { keepPrevious: true, renewMs: () => renewMs },
  )
  // A worker that can't be started is told by the graph.
  useEffect(() => void prepareLayout().catch(() => {}), [])
  const words = useWords()
  const nodes = useMemo(() => (data ? graphNodesOf(data, words) : []), [data, words])
  const texts = useMemo(() => (data ? searchTexts(data) : new Map<string, string>()), [data])
  // What is typed comes first.
  const q = useDeferredValue(filters.q.trim())
  const matches = useMemo(() => (q === '' ? null : found(texts, q)), [texts, q])
  const shown = useMemo(() => (matches ? narrowed(nodes, matches) : nodes), [nodes, matches])
  const selected = shown.some(({ id }) => id === node) ? node : null
  const drawn = useMemo(() => (selected === null ? shown : focused(shown, selected)), [shown, selected])
  const count =
    data && data.tasks.length > 0
      ? matches
        ? t('matches', { count: matches.size })
        : [t('datasets', { count: data.datasets.length }), t('tasks', { count: data.tasks.length })].join(' · ')
      : null

  const gone = error?.status === 404
  const of = subjectOf(filters)
  const graph =
    !data || gone ? null : data.tasks.length === 0 ? (
      <EmptyList goal="lineage" icon={IconVectorSpline} title={t('empty.title')} text={t('empty.text')} />
    ) : shown.length === 0 ? (
      <EmptyState
        icon={IconSearchOff}
        title={t('nothing.title')}
        text={t('nothing.text')}
        action={
          <Button variant="default" onClick={() => change({ q: null })}>
            {t('nothing.action')}
          </Button>
        }
      />
    ) : (
      <Graph
        id="lineage"
        nodes={drawn}
        keepsZoom
        selected={selected}
        onSelect={(id) => change({ node: id })}
        label={t('graphLabel', { count: shown.length })}
      />
    )
  return (
    <Page title={t('title')} layout="fill" toolbar={<Filters filters={filters} count={count} />}>
      {gone ? (
        <EmptyState
          icon={IconVectorSpline}
          title={t('notThere.title')}
          text={t('notThere.text')}
          action={
            <Button variant="default" onClick={filters.clear}>
              {t('showAll')}
            </Button>
          }
        />
      ) : error && !data ? (
        <ErrorState
          what="lineage"
          title={of ? t(`failed.${of.kind}`, { of: of.text }) : undefined}
          error={error}
          onRetry={() => void refetch()}
        />
      ) : !data ? (
        <div role="status" aria-busy style={{ flex: 1 }}>
          <EmptyState icon={IconVectorSpline} title={t('reading.title')} text={t('reading.text')} />
        </div>
      ) : (
        <SplitPane id="lineage" initial={0.75} minSize={260}>
          {graph}
          {selected === null ? null : <LineageDetails key={selected} lineage={data} id={selected} filters={filters} />}
        </SplitPane>
      )}
    </Page>
  )
}
