import type { KeyboardEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCommands } from '../commands/commands.ts'
import classes from './PaneTabs.module.css'
import { TabWord } from './TabWord.tsx'
import { numberText } from './format.ts'

export interface PaneTab<Id extends string> {
  id: Id
  label: string
  /** Beside the word, as a number or in words; 0 and undefined are not shown. */
  count?: number | string | undefined
  tone?: 'failed' | 'warning'
}

export interface PaneTabsProps<Id extends string> {
  /** Unique on the page. */
  id: string
  label: string
  tabs: readonly PaneTab<Id>[]
  active: Id
  onChange: (id: Id) => void
  /** Digits choose the tabs: where the page itself has none. */
  keys?: boolean
  /** Right of the tabs. */
  right?: ReactNode
  /** The active tab's content. */
  children: ReactNode
}

/** Tabs inside a pane: arrow keys move between them, Tab goes on into the content. */
export function PaneTabs<Id extends string>({
  id,
  label,
  tabs,
  active,
  onChange,
  keys = false,
  right,
  children,
}: PaneTabsProps<Id>) {
  const { t } = useTranslation()
  useCommands(
    tabs.map((tab, index) => ({
      id: `${id}.${tab.id}`,
      title: t('showTab', { name: tab.label }),
      ...(keys && index < 9 ? { shortcut: String(index + 1) } : {}),
      when: tab.id !== active,
      run: () => onChange(tab.id),
    })),
  )
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.id === active)
    const moves: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }
    const next = moves[event.key]
    if (next === undefined) return
    const target = tabs[(next + tabs.length) % tabs.length]
    if (!target) return
    event.preventDefault()
    onChange(target.id)
    document.getElementById(`${id}-${target.id}`)?.focus()
  }
  return (
    <>
      <div className={classes.tabs}>
        <div role="tablist" aria-label={label} className={classes.list}>
          {tabs.map((tab) => (
            <button
              key={tab.id}
              type="button"
              role="tab"
              id={`${id}-${tab.id}`}
              data-tab={tab.id}
              aria-selected={tab.id === active}
              aria-controls={`${id}-panel`}
              tabIndex={tab.id === active ? 0 : -1}
              className={classes.tab}
              onClick={() => onChange(tab.id)}
              onKeyDown={onKeyDown}
            >
              <TabWord>{tab.label}</TabWord>
              {tab.count ? (
                <span className={classes.count} data-tone={tab.tone}>
                  {typeof tab.count === 'string' ? tab.count : numberText(tab.count)}
                </span>
              ) : null}
            </button>
          ))}
        </div>
        {right ? <div className={classes.right}>{right}</div> : null}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${active}`} className={classes.panel}>
        {children}
      </div>
    </>
  )
}
