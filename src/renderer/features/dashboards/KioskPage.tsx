import { ActionIcon, Button, NativeSelect, Skeleton } from '@mantine/core'
import {
  IconChevronLeft,
  IconChevronRight,
  IconLayoutDashboard,
  IconMaximize,
  IconPlayerPause,
  IconPlayerPlay,
  IconX,
} from '@tabler/icons-react'
import { useViewportSize } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { type DashboardDetail, getDashboard } from '../../../contract/dashboards.ts'
import { useOperation } from '../../api/queries.ts'
import { useCommands } from '../../commands/commands.ts'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Hint } from '../../ui/Hint.tsx'
import { useAddress } from '../../ui/use-address.ts'
import { DashboardBoard } from './DashboardBoard.tsx'
import { filtersOfBar } from './dashboard-choice.rules.ts'
import { choicesOf, kioskIn, secondsChoices, showFullScreen } from './kiosk-address.ts'
import classes from './KioskPage.module.css'
import { useSpanText } from './span-text.ts'
import { useAwake } from './use-awake.ts'
import { type WallPage, pagesOf, rowsOf, rowsSeen, wallScale } from './wall.rules.ts'

/** How long a page is on the screen, where nothing else is said; and the least that can be read. */
const pageSeconds = 20
const leastMs = 5000

function Shown({ id, wall }: { id: number; wall: WallPage | undefined }) {
  const { data, error, refetch } = useOperation(getDashboard, { params: { id } })
  if (data) return <DashboardBoard key={id} dashboard={data} paper="no" wall={wall} ref={null} />
  return error ? (
    <ErrorState error={error} onRetry={() => void refetch()} record={{ kind: 'dashboard', id }} />
  ) : (
    <Skeleton height="100%" radius={0} />
  )
}

/** Whether the page fills the screen. */
function useIsFullScreen(onLeave: () => void): boolean {
  const [isFull, setIsFull] = useState(document.fullscreenElement !== null)
  useEffect(() => {
    const change = () => {
      setIsFull(document.fullscreenElement !== null)
      if (document.fullscreenElement === null) onLeave()
    }
    document.addEventListener('fullscreenchange', change)
    return () => document.removeEventListener('fullscreenchange', change)
  }, [onLeave])
  return isFull
}

/** How large a dashboard is on this screen, and in how many pages. */
function useWall(view: DashboardDetail['view'] | undefined) {
  const wall = useViewportSize()
  if (!view) return { zoom: 1, pages: [] }
  const hasFilters = view.time_window !== null || filtersOfBar(view).length > 0
  const zoom = wallScale(wall, rowsOf(view.widgets), hasFilters)
  return { zoom, pages: pagesOf(view.widgets, rowsSeen(wall, zoom, hasFilters)) }
}

/** Dashboards alone, one after the other, on a screen that nobody sits at. */
export function KioskPage() {
  const { t } = useTranslation('kiosk')
  const { t: word } = useTranslation('dashboards')
  const spanText = useSpanText()
  const navigate = useNavigate()
  const [address, change] = useAddress()
  const { ids, seconds } = kioskIn(address)
  const [{ at, page }, setPlace] = useState({ at: 0, page: 0 })
  const [paused, setPaused] = useState(false)
  const count = ids.length
  const many = count > 1
  const current = ids[at % Math.max(1, count)]
  const { data } = useOperation(getDashboard, { params: { id: current ?? 0 } }, { enabled: current !== undefined })
  useEffect(() => {
    if (data) document.title = data.name
  }, [data])
  const chosen = choicesOf(address).toString()
  const leave = () => {
    const back = current === undefined ? paths.dashboards() : paths.dashboard(current)
    void navigate(chosen ? `${back}?${chosen}` : back)
  }
  const isFull = useIsFullScreen(leave)
  useAwake()
  const { zoom, pages } = useWall(data?.view)
  // A dashboard that is changed by hand, and has several pages, shows them in turn.
  const changes = many && seconds !== null
  const turns = (changes || pages.length > 1) && !paused
  const pageMs = ((seconds ?? pageSeconds * pages.length) * 1000) / Math.max(1, pages.length)
  const isLast = page + 1 >= pages.length
  const step = (by: number) => setPlace({ at: (at + by + count) % count, page: 0 })
  const next = { at: isLast && changes ? (at + 1) % count : at, page: isLast ? 0 : page + 1 }
  useEffect(() => {
    if (!turns) return
    const timer = setTimeout(() => setPlace({ at: next.at, page: next.page }), Math.max(leastMs, pageMs))
    return () => clearTimeout(timer)
  }, [turns, pageMs, next.at, next.page])
  const exit = () => {
    if (isFull) void document.exitFullscreen()
    else leave()
  }
  useCommands([
    // Esc is the browser’s: it leaves the full screen.
    { id: 'kiosk.leave', title: t('leave'), run: exit },
    { id: 'kiosk.next', title: t('next'), shortcut: 'n', when: many, run: () => step(1) },
    { id: 'kiosk.previous', title: t('previous'), shortcut: 'p', when: many, run: () => step(-1) },
  ])
  if (current === undefined)
    return (
      <main className={classes.page}>
        <EmptyState icon={IconLayoutDashboard} title={t('empty')} text={t('emptyText')} />
      </main>
    )
  const Pause = paused ? IconPlayerPlay : IconPlayerPause
  return (
    <main className={classes.page} style={{ zoom }}>
      <header className={classes.bar}>
        <h1>{data?.name ?? t('numbered', { id: String(current) })}</h1>
        <span className={classes.job}>{data?.job_name}</span>
        {many ? (
          <>
            <span className={classes.place}>{t('place', { at: at + 1, count })}</span>
            <NativeSelect
              size="xs"
              aria-label={t('every')}
              value={seconds === null ? '' : String(seconds)}
              onChange={({ currentTarget: { value } }) => change({ seconds: value || null })}
              data={[
                { value: '', label: t('stays') },
                ...[...new Set([...secondsChoices, ...(seconds === null ? [] : [seconds])])]
                  .toSorted((a, b) => a - b)
                  .map((one) => ({ value: String(one), label: t('after', { span: spanText(one * 1000) }) })),
              ]}
            />
            <Hint label={t('previous')} command="kiosk.previous">
              <ActionIcon size={30} variant="default" aria-label={t('previous')} onClick={() => step(-1)}>
                <IconChevronLeft size={14} />
              </ActionIcon>
            </Hint>
            <Hint label={t('next')} command="kiosk.next">
              <ActionIcon size={30} variant="default" aria-label={t('next')} onClick={() => step(1)}>
                <IconChevronRight size={14} />
              </ActionIcon>
            </Hint>
          </>
        ) : null}
        {pages.length > 1 ? (
          <span className={classes.place}>{t('page', { at: page + 1, count: pages.length })}</span>
        ) : null}
        {changes || pages.length > 1 ? (
          <Hint label={paused ? t('resume') : t('pause')}>
            <ActionIcon
              size={30}
              variant="default"
              aria-label={paused ? t('resume') : t('pause')}
              onClick={() => setPaused(!paused)}
            >
              <Pause size={14} />
            </ActionIcon>
          </Hint>
        ) : null}
        {isFull ? null : (
          <Hint label={word('page.fullScreen')}>
            <ActionIcon size={30} variant="default" aria-label={word('page.fullScreen')} onClick={showFullScreen}>
              <IconMaximize size={14} />
            </ActionIcon>
          </Hint>
        )}
        <Hint label={t('leave')} command="kiosk.leave">
          <Button variant="default" leftSection={<IconX size={14} aria-hidden />} onClick={exit}>
            {t('leave')}
          </Button>
        </Hint>
      </header>
      <Shown id={current} wall={pages[page] ?? pages[0]} />
    </main>
  )
}
