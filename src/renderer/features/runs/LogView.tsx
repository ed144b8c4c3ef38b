import { type KeyboardEvent, type Ref, useCallback, useImperativeHandle, useLayoutEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { RunStep } from '../../../contract/runs.ts'
import { atEnd, scrollTopOf, viewportOf } from '../../ui/row-viewport.ts'
import { useScrollPlace } from '../../ui/use-scroll-place.ts'
import { LogLineRow, type LogWords } from './LogLineRow.tsx'
import classes from './LogView.module.css'
import type { LineRange } from './line-range.ts'
import type { LogRows } from './log-pages.ts'
import { isWrapped } from './log-text.ts'
import { isLineOf } from './step-lines.ts'

/** Height of a line, in pixels, where it has one. */
const lineHeight = 18

export interface LogViewHandle {
  /** Brings a row into sight, at the given share of the height. */
  showRow(row: number, share?: number): void
  focus(): void
}

export interface LogViewProps {
  rows: LogRows
  /** Row i is line i + 1, so that its number is known before its text. */
  contiguous: boolean
  search: string
  chosen: LineRange | null
  /** Step whose lines stand out; null when none is chosen. */
  step: RunStep | null
  showAttempt: boolean
  /** Digits of the highest line number. */
  digits: number
  /** Keeps the end in sight while lines arrive. */
  follow: boolean
  onFollow(follow: boolean): void
  onChoose(line: number, extend: boolean): void
  onCopy(): void
  hrefOf(line: number): string
  label: string
  ref?: Ref<LogViewHandle>
}

function useWords(): LogWords {
  const { t } = useTranslation('runs')
  return useMemo(
    () => ({
      levels: {
        debug: t('log.levels.debug'),
        info: t('log.levels.info'),
        warn: t('log.levels.warn'),
        error: t('log.levels.error'),
      },
      permalink: t('log.permalink'),
    }),
    [t],
  )
}

/** The lines of a log in a window that draws only what is in sight, whatever the length of the log. */
export function LogView(props: LogViewProps) {
  const { rows, contiguous, search, chosen, step, showAttempt, follow, onFollow, onChoose, hrefOf, label, ref } = props
  const words = useWords()
  const scroller = useRef<HTMLDivElement>(null)
  const lines = useRef<HTMLDivElement>(null)
  const [place, look] = useScrollPlace(scroller)
  /** Where the program itself scrolled to: that is no decision of the user's. */
  const placed = useRef<number | null>(null)
  const count = rows.count
  const wrapped = isWrapped(count)
  const view = wrapped
    ? { first: 0, count, offset: 0, contentHeight: undefined }
    : viewportOf(place.top, place.height, count, lineHeight)
  const last = view.first + view.count - 1

  /** Where to scroll to for a row: measured where rows wrap, calculated where not all are drawn. */
  const topOf = useCallback(
    (row: number, height: number, share: number) => {
      const drawn = wrapped ? lines.current?.children[row] : undefined
      return drawn instanceof HTMLElement
        ? Math.max(0, drawn.offsetTop - (height - drawn.offsetHeight) * share)
        : scrollTopOf(row, height, count, share, lineHeight)
    },
    [wrapped, count],
  )
  const scrollTo = useCallback(
    (top: number) => {
      const element = scroller.current
      if (!element) return
      element.scrollTop = top
      placed.current = Math.round(element.scrollTop)
      look()
    },
    [look],
  )

  useLayoutEffect(() => {
    if (follow && count > 0) scrollTo(topOf(count - 1, place.height, 1))
  }, [follow, count, place.height, scrollTo, topOf])
  useLayoutEffect(() => {
    rows.want(view.first, last)
  }, [rows, view.first, last])

  useImperativeHandle(ref, () => ({
    showRow: (row, share = 0.35) => {
      const element = scroller.current
      if (element) scrollTo(topOf(row, element.clientHeight, share))
    },
    focus: () => scroller.current?.focus({ preventScroll: true }),
  }))

  const onScroll = () => {
    const element = scroller.current
    if (!element) return
    look()
    const byProgram = placed.current !== null && Math.abs(placed.current - element.scrollTop) <= 2
    placed.current = null
    if (!byProgram) onFollow(atEnd(element.scrollTop, element.clientHeight, element.scrollHeight, lineHeight))
  }

  const move = (rowsDown: number, extend: boolean) => {
    const from = chosen ? rows.rowOf(rowsDown > 0 ? chosen.to : chosen.from) : view.first - 1
    const row = Math.max(0, Math.min(count - 1, from + rowsDown))
    const line = contiguous ? row + 1 : rows.at(row)?.line
    if (line === undefined) return
    onChoose(line, extend)
    const element = scroller.current
    const top = topOf(row, place.height, 0)
    const bottom = topOf(row, place.height, 1)
    if (element && element.scrollTop > top) scrollTo(top)
    else if (element && element.scrollTop < bottom) scrollTo(bottom)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event
    if ((event.metaKey || event.ctrlKey) && key.toLowerCase() === 'c') {
      // Text that was marked with the mouse is copied by the browser itself.
      if (!getSelection()?.isCollapsed) return
      props.onCopy()
    } else if (event.metaKey || event.ctrlKey || event.altKey) return
    else if (key === 'ArrowDown') move(1, event.shiftKey)
    else if (key === 'ArrowUp') move(-1, event.shiftKey)
    else if (key === 'Home') scrollTo(0)
    else if (key === 'End') {
      onFollow(true)
      scrollTo(topOf(count - 1, place.height, 1))
    } else return
    event.preventDefault()
  }

  const drawn = Array.from({ length: view.count }, (_, index) => view.first + index)
  return (
    // A region that scrolls is reached by the keyboard, which is what moves in it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={scroller}
      className={classes.view}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      role="region"
      aria-label={label}
      data-wide
      data-wrapped={wrapped || undefined}
    >
      <div className={classes.content} style={{ height: view.contentHeight }}>
        <div ref={lines} className={classes.window} style={{ top: view.offset }}>
          {drawn.map((row) => {
            const line = rows.at(row)
            const number = line?.line ?? (contiguous ? row + 1 : null)
            return (
              <LogLineRow
                key={row}
                line={line}
                number={number}
                search={search}
                chosen={chosen !== null && number !== null && number >= chosen.from && number <= chosen.to}
                dim={step !== null && line !== undefined && !isLineOf(line, step)}
                showAttempt={showAttempt}
                href={number === null ? '' : hrefOf(number)}
                digits={props.digits}
                words={words}
                onChoose={onChoose}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}
