import { type KeyboardEvent, useRef } from 'react'
import classes from './GalleryList.module.css'

export interface GalleryItem {
  id: string
  title: string
  description: string
}

interface GalleryListProps {
  label: string
  /** Groups without items are left out; a label that is empty has no line. */
  groups: readonly { id: string; label: string; items: readonly GalleryItem[] }[]
  chosen: string | null
  onChoose(id: string): void
  onUse(id: string): void
}

/** Ready things under their headings; arrow keys choose, Enter takes. */
export function GalleryList({ label, groups, chosen, onChoose, onUse }: GalleryListProps) {
  const list = useRef<HTMLDivElement>(null)
  const items = groups.flatMap((group) => group.items)
  const onKeyDown = (event: KeyboardEvent) => {
    const at = items.findIndex((one) => one.id === chosen)
    const moves: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }
    const next = moves[event.key]
    const target = next === undefined ? undefined : items[Math.max(0, Math.min(next, items.length - 1))]
    if (target) {
      onChoose(target.id)
      list.current?.querySelector<HTMLElement>(`[data-id="${target.id}"]`)?.focus()
    } else if (event.key === 'Enter' && chosen !== null) onUse(chosen)
    else return
    event.preventDefault()
  }
  return (
    <div ref={list} className={classes.list} role="listbox" aria-label={label} tabIndex={-1}>
      {groups
        .filter((group) => group.items.length > 0)
        .map((group) => (
          <div key={group.id} role="group" aria-label={group.label || undefined}>
            {group.label ? (
              <div className={classes.group} aria-hidden>
                {group.label}
              </div>
            ) : null}
            {group.items.map((one) => (
              <div
                key={one.id}
                role="option"
                aria-selected={one.id === chosen}
                tabIndex={one.id === chosen ? 0 : -1}
                className={classes.item}
                data-id={one.id}
                onClick={() => onChoose(one.id)}
                onDoubleClick={() => onUse(one.id)}
                onKeyDown={onKeyDown}
              >
                <b>{one.title}</b>
                <span className={classes.text}>{one.description}</span>
              </div>
            ))}
          </div>
        ))}
    </div>
  )
}
