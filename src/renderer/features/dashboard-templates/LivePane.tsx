import { Button } from '@mantine/core'
import { IconAlertTriangle, IconHourglass, IconLayoutDashboard } from '@tabler/icons-react'
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import type { FilterValue, Placement, Widget } from '../../../language/dashboard/dashboard.types.ts'
import { viewOf } from '../../../language/dashboard/dashboard-view.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LoadFailure } from '../../ui/LoadFailure.tsx'
import { FilterBar } from '../dashboards/FilterBar.tsx'
import { type DashboardSource, type Viewing, ViewingProvider } from '../dashboards/dashboard-source.ts'
import { addressOf, choiceIn, filterPart } from '../dashboards/dashboard-choice.rules.ts'
import { FormDraftProvider, usePassingDraft } from '../dashboards/form-draft.ts'
import { signedInParts } from '../dashboards/signed-in-parts.tsx'
import { ArrangeGrid } from './ArrangeGrid.tsx'
import classes from './dashboard-templates.module.css'
import { isOnGrid } from './placement.rules.ts'
import type { Arrange } from './use-arrange.ts'
import type { LiveData, ValidText } from './use-live-data.ts'

interface LivePaneProps {
  /** null: nothing that can be shown was written yet. */
  valid: ValidText | null
  /** What is chosen before the filters, in their row. */
  lead?: ReactNode
  /** The text has been broken since then. */
  isStale: boolean
  /** The text is still being read. */
  unread: boolean
  data: LiveData | null
  /** Places that the text has by now. */
  ahead?: ReadonlyMap<string, Placement> | null
  selected: string | null
  onSelect(id: string, open: boolean): void
  arrange?: Arrange | undefined
  onRemove?(id: string): void
  onUndo?(back: boolean): void
  onProblems?(): void
  /** Why the jobs aren’t there, and what asks for them again. */
  failed?: { error: Error; retry: () => void } | undefined
  /** What became of the last change. */
  said?: string
}

const ignored = () => undefined
/** Nothing is asked of it: widgets without rows stand in for those that have some. */
const noSource: DashboardSource = {
  key: 'none',
  canRefresh: false,
  load: () => Promise.reject(new Error('There is no job to ask')),
}

const noWidgets: readonly Widget[] = []
/** Widgets that can be tried before they are saved: they ask, or choose, and change nothing. */
const isTriable = ({ type }: Widget) => type === 'form' || type === 'field_mapping' || type === 'filter'

/** What viewers would choose, kept as long as the page. */
function useChoice(valid: ValidText | null) {
  const [address, setAddress] = useState('')
  const filters = valid?.document.filters
  const choice = useMemo(() => choiceIn(new URLSearchParams(address), filters ?? {}), [address, filters])
  const change = (name: string, value: string | null) =>
    setAddress((before) => {
      const next = new URLSearchParams(before)
      if (value === null) next.delete(name)
      else next.set(name, value)
      return next.toString()
    })
  return {
    choice,
    onFilter: (name: string, value: FilterValue) => {
      const filter = filters?.[name]
      if (filter) change(filterPart(name), addressOf(filter, value))
    },
    onWindow: (ms: number | null) => change('window', ms === null ? null : String(ms)),
    onClear: () => setAddress(''),
  }
}

/** The dashboard that a text describes. */
export function LivePane(props: LivePaneProps) {
  const { valid, lead, isStale, unread, data, ahead, selected, onSelect, arrange, said = '' } = props
  const { onRemove = ignored, onUndo = ignored, onProblems, failed } = props
  const { t } = useTranslation('dashboardTemplates')
  const { t: doc } = useTranslation('documents')
  const { choice, ...chosen } = useChoice(valid)
  const view = useMemo(() => valid && viewOf(valid.document), [valid])
  const draft = usePassingDraft(view?.widgets ?? noWidgets)
  const [trying, setTrying] = useState<string | null>(null)
  const board = useRef<HTMLDivElement>(null)
  const stopTrying = useCallback(() => {
    // Its handle is there again once this is drawn.
    flushSync(() => setTrying(null))
    board.current?.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus()
  }, [])
  const viewing = useMemo(
    (): Viewing => ({
      source: data?.source ?? noSource,
      parts: signedInParts,
      filters: view?.filters ?? {},
      choice,
      paper: 'no',
    }),
    [data, view, choice],
  )
  const widgets = useMemo(
    () =>
      (view?.widgets ?? []).map((widget) => {
        const at = ahead?.get(widget.id)
        return at && isOnGrid(at) ? { ...widget, at } : widget
      }),
    [view, ahead],
  )
  if (unread)
    return <EmptyState icon={IconHourglass} title={doc('problems.reading')} text={doc('problems.readingText')} />
  if (!view) {
    return (
      <EmptyState
        icon={IconLayoutDashboard}
        title={t('live.emptyTitle')}
        text={t('live.emptyText')}
        action={
          onProblems && isStale ? (
            <Button variant="default" onClick={onProblems}>
              {t('live.problems')}
            </Button>
          ) : undefined
        }
      />
    )
  }
  const place = widgets.find(({ id }) => id === selected)
  const tried = place && place.id === trying ? trying : null
  return (
    <ViewingProvider value={viewing}>
      <FormDraftProvider value={draft}>
        {isStale ? (
          <div className={classes.notice} role="note">
            <IconAlertTriangle size={14} aria-hidden />
            {t('live.stale')}
            {onProblems ? (
              <Button size="compact-xs" variant="default" onClick={onProblems}>
                {t('live.problems')}
              </Button>
            ) : null}
          </div>
        ) : null}
        {failed ? <LoadFailure text={t('live.jobsFailed')} error={failed.error} onRetry={failed.retry} /> : null}
        <div className={classes.board} ref={board}>
          <FilterBar
            lead={lead}
            view={view}
            choice={choice}
            {...chosen}
            // What failed to load says that there is no data.
            idle={data ? undefined : failed ? '' : t('live.idleFilters')}
          />
          <ArrangeGrid
            widgets={widgets}
            data={data}
            selected={selected}
            onSelect={onSelect}
            arrange={arrange}
            onRemove={onRemove}
            onUndo={onUndo}
            onFilter={chosen.onFilter}
            tried={tried}
            onStopTrying={stopTrying}
          />
        </div>
        <div className={classes.foot} data-quiet={arrange || place ? undefined : true}>
          <span role="status" data-refused={said === '' ? undefined : true}>
            {said !== ''
              ? said
              : place
                ? t('arrange.at', {
                    widget: place.id,
                    column: place.at[0] + 1,
                    row: place.at[1] + 1,
                    width: place.at[2],
                    height: place.at[3],
                  })
                : ''}
          </span>
          {place && data && isTriable(place) ? (
            <Button
              size="compact-xs"
              variant="default"
              onClick={() => (tried === null ? setTrying(place.id) : stopTrying())}
            >
              {tried === null ? t('live.try') : t('live.stopTrying')}
            </Button>
          ) : null}
          {arrange && place ? (
            <Button size="compact-xs" variant="default" onClick={() => onRemove(place.id)}>
              {t('arrange.remove')}
            </Button>
          ) : null}
          {arrange ? (
            place ? (
              <span id="dashboard-arrange-keys">{t('arrange.keys')}</span>
            ) : (
              <span>{t('arrange.select')}</span>
            )
          ) : null}
        </div>
      </FormDraftProvider>
    </ViewingProvider>
  )
}
