import { Button, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconChevronDown, IconChevronRight, IconCopy } from '@tabler/icons-react'
import { type KeyboardEvent, type MouseEvent, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '../copy-text.ts'
import { numberText } from '../format.ts'
import { type Point, PointMenu } from '../PointMenu.tsx'
import { scrollTopOf, viewportOf } from '../row-viewport.ts'
import { useScrollPlace } from '../use-scroll-place.ts'
import classes from './JsonTree.module.css'
import { JsonLineRow } from './JsonLineRow.tsx'
import { writeExact } from './exact-json.ts'
import { type JsonLine, type JsonPath, itemAt, lineOf, linesOf, pathId, pathText } from './json-tree.rules.ts'

/** Items of a tree, however many: those in sight are asked for, others may be let go of. */
export interface JsonItems {
  count: number
  /** undefined: not here yet. */
  at(item: number): unknown
  want(first: number, last: number): void
  /** The number that an item is known by, from 0; null: the tree is this one value. */
  numberOf(item: number): number | null
  /** The item with every value in full, where `at` has some of them in part. */
  whole(item: number): Promise<unknown>
}

interface JsonTreeProps {
  label: string
  items: JsonItems
}

interface Place {
  item: number
  path: JsonPath
}

const lineHeight = 22
const nothingOpen: ReadonlySet<string> = new Set()

/** An item as it was when it was opened: whatever has scrolled out of sight may be let go of. */
interface OpenItem {
  value: unknown
  paths: ReadonlySet<string>
}

/** JSON values below each other, folded; the lines in sight are drawn. */
export function JsonTree({ label, items }: JsonTreeProps) {
  const { t } = useTranslation()
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const [seen, look] = useScrollPlace(scroller)
  /** What is open, by item. */
  const [open, setOpen] = useState<ReadonlyMap<number, OpenItem>>(
    () => new Map(items.count === 1 ? [[0, { value: items.at(0), paths: new Set([pathId([])]) }]] : []),
  )
  const [current, setCurrent] = useState<Place | null>(null)
  const [menu, setMenu] = useState<Point | null>(null)
  const opened = useMemo(
    () =>
      [...open]
        .toSorted(([a], [b]) => a - b)
        .map(([item, { value, paths }]) => {
          const lines = linesOf(value, paths)
          return { item, lines, more: lines.length - 1 }
        }),
    [open],
  )
  const total = items.count + opened.reduce((sum, { more }) => sum + more, 0)
  const view = viewportOf(seen.top, seen.height, total, lineHeight)
  const [first, last] = [
    itemAt(view.first, opened).item,
    itemAt(Math.max(view.first, view.first + view.count - 1), opened).item,
  ]
  useLayoutEffect(() => {
    if (items.count > 0) items.want(first, last)
  }, [items, first, last])

  const linesFor = (item: number): readonly JsonLine[] =>
    opened.find((one) => one.item === item)?.lines ?? linesOf(items.at(item), nothingOpen)
  const lineAt = (line: number) => {
    const place = itemAt(line, opened)
    const value = linesFor(place.item)[place.line]
    return value && { item: place.item, line: value }
  }
  const numberOfLine = ({ item, path }: Place): number => {
    const own = linesFor(item).findIndex((line) => pathId(line.path) === pathId(path))
    return lineOf(item, opened) + Math.max(0, own)
  }
  const show = (line: number) => {
    const wanted = Math.max(0, Math.min(total - 1, line))
    const found = lineAt(wanted)
    if (!found) return
    setCurrent({ item: found.item, path: found.line.path })
    const element = scroller.current
    if (!element) return
    const [low = 0, high = 0] = [1, 0].map((share) =>
      scrollTopOf(wanted, element.clientHeight, total, share, lineHeight),
    )
    element.scrollTop = Math.max(low, Math.min(element.scrollTop, high))
  }
  const fail = (error: unknown) =>
    void notifications.show({ color: 'red', message: error instanceof Error ? error.message : String(error) })
  const toggle = ({ item, path }: Place) => {
    const change = (value: unknown) =>
      setOpen((now) => {
        const paths = new Set(now.get(item)?.paths)
        if (!paths.delete(pathId(path))) paths.add(pathId(path))
        const next = new Map(now)
        if (paths.size > 0) next.set(item, { value, paths })
        else next.delete(item)
        return next
      })
    const known = open.get(item)
    if (known) change(known.value)
    else items.whole(item).then(change, fail)
  }
  const lineOfCurrent = current && linesFor(current.item).find((line) => pathId(line.path) === pathId(current.path))
  const pathOfCurrent = current && pathText(items.numberOf(current.item), current.path)

  async function copy(what: 'path' | 'value') {
    if (!current || !lineOfCurrent) return
    try {
      // Of an item that is open, all is here.
      const value =
        what === 'path' ? pathOfCurrent : open.has(current.item) ? lineOfCurrent.value : await items.whole(current.item)
      await copyText(typeof value === 'string' ? value : writeExact(value))
      notifications.show({ message: t(what === 'path' ? 'jsonTree.pathCopied' : 'jsonTree.valueCopied') })
    } catch (error) {
      fail(error)
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, shiftKey: shift, altKey } = event
    const mod = event.ctrlKey || event.metaKey
    if (altKey) return
    const at = current ? numberOfLine(current) : -1
    const page = Math.max(1, Math.floor(seen.height / lineHeight) - 1)
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: Math.max(0, at - 1),
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: total - 1,
    }
    const step = steps[key]
    const canOpen = lineOfCurrent !== undefined && lineOfCurrent !== null && (lineOfCurrent.size ?? 0) > 0
    if (mod && key.toLowerCase() === 'c') void copy(shift ? 'path' : 'value')
    else if ((key === 'ContextMenu' || (key === 'F10' && shift)) && current) {
      const bounds = scroller.current?.getBoundingClientRect()
      setMenu({ x: (bounds?.left ?? 0) + 60, y: (bounds?.top ?? 0) + lineHeight })
    } else if (step !== undefined && !mod) show(step)
    else if ((key === 'Enter' || key === ' ') && current && canOpen) toggle(current)
    else if (key === 'ArrowRight' && current && canOpen) {
      if (lineOfCurrent.open) show(at + 1)
      else toggle(current)
    } else if (key === 'ArrowLeft' && current) {
      if (lineOfCurrent?.open) toggle(current)
      else if (current.path.length > 0) show(numberOfLine({ ...current, path: current.path.slice(0, -1) }))
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  const placeOf = (target: EventTarget): { item: number; line: JsonLine } | undefined => {
    const element = target instanceof Element ? target.closest<HTMLElement>('[data-line]') : null
    return element ? lineAt(Number(element.dataset['line'])) : undefined
  }
  const choose = (event: MouseEvent): Place | undefined => {
    const found = placeOf(event.target)
    if (!found) return undefined
    const place = { item: found.item, path: found.line.path }
    setCurrent(place)
    return place
  }
  const digits = numberText(items.count).length
  return (
    <>
      <div
        ref={scroller}
        className={classes.tree}
        role="tree"
        tabIndex={0}
        aria-label={label}
        aria-activedescendant={current ? `${id}-current` : undefined}
        onScroll={look}
        onKeyDown={onKeyDown}
        onClick={(event) => {
          const place = choose(event)
          const onFold = event.target instanceof Element && event.target.closest('[data-fold]')
          if (place && onFold) toggle(place)
        }}
        onDoubleClick={(event) => {
          const found = placeOf(event.target)
          const onFold = event.target instanceof Element && event.target.closest('[data-fold]')
          if (found && !onFold && (found.line.size ?? 0) > 0) toggle({ item: found.item, path: found.line.path })
        }}
        onContextMenu={(event) => {
          if (!choose(event)) return
          event.preventDefault()
          setMenu({ x: event.clientX, y: event.clientY })
        }}
      >
        <div className={classes.content} style={{ height: view.contentHeight }}>
          <div className={classes.lines} style={{ transform: `translateY(${view.offset}px)` }}>
            {Array.from({ length: view.count }, (_, offset) => view.first + offset).map((number) => {
              const found = lineAt(number)
              if (!found) return null
              const isCurrent =
                current !== null && current.item === found.item && pathId(current.path) === pathId(found.line.path)
              return (
                <JsonLineRow
                  key={`${found.item} ${pathId(found.line.path)}`}
                  id={isCurrent ? `${id}-current` : undefined}
                  number={number}
                  item={items.numberOf(found.item)}
                  digits={digits}
                  line={found.line}
                  pending={items.at(found.item) === undefined}
                  current={isCurrent}
                />
              )
            })}
          </div>
        </div>
      </div>
      <div className={classes.place}>
        <code title={pathOfCurrent ?? undefined}>{pathOfCurrent ?? t('jsonTree.choose')}</code>
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<IconCopy size={13} />}
          disabled={!current}
          onClick={() => void copy('path')}
        >
          {t('jsonTree.copyPath')}
        </Button>
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<IconCopy size={13} />}
          disabled={!current}
          onClick={() => void copy('value')}
        >
          {t('jsonTree.copyValue')}
        </Button>
      </div>
      <PointMenu at={menu} onClose={() => setMenu(null)} label={t('jsonTree.actions')}>
        {current && (lineOfCurrent?.size ?? 0) > 0 ? (
          <Menu.Item
            leftSection={lineOfCurrent?.open ? <IconChevronRight size={14} /> : <IconChevronDown size={14} />}
            onClick={() => toggle(current)}
          >
            {t(lineOfCurrent?.open ? 'jsonTree.collapse' : 'jsonTree.expand', {
              size: numberText(lineOfCurrent?.size ?? 0),
            })}
          </Menu.Item>
        ) : null}
        <Menu.Item leftSection={<IconCopy size={14} />} onClick={() => void copy('value')}>
          {t('jsonTree.copyValue')}
        </Menu.Item>
        <Menu.Item leftSection={<IconCopy size={14} />} onClick={() => void copy('path')}>
          {t('jsonTree.copyPath')}
        </Menu.Item>
      </PointMenu>
    </>
  )
}
