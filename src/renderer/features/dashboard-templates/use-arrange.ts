import { useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import type { Placement, Widget } from '../../../language/dashboard/dashboard.types.ts'
import type { ParsedDashboard } from '../../../language/dashboard/parse-dashboard.ts'
import type { DocumentText } from '../../ui/document/use-document-text.ts'
import type { Change, Placed } from './placement.rules.ts'
import { widgetsIn, withNewWidget, withWidgetAt, withoutWidget } from './widget-text.ts'

export type Arrange = (id: string, make: (at: Placement, others: readonly Placed[]) => Change) => void

/** Writes where widgets stand into the text as it is at that moment. */
export function useArrange(text: DocumentText<ParsedDashboard>) {
  const { t } = useTranslation('dashboardTemplates')
  const [said, setSaid] = useState('')
  /** Places of a text that is not checked yet: the next key, drag, or undo starts from them. */
  const [ahead, setAhead] = useState<{ text: string; places: ReadonlyMap<string, Placement> } | null>(null)
  const latest = useRef(text)
  useEffect(() => {
    latest.current = text
  })
  const changed = useCallback((next: string) => {
    setAhead({ text: next, places: new Map(widgetsIn(next).map((one) => [one.id, one.at])) })
    setSaid('')
  }, [])
  const write = useCallback(
    (next: string) =>
      flushSync(() => {
        latest.current.setText(next)
        changed(next)
      }),
    [changed],
  )
  const arrange: Arrange = useCallback(
    (id, make) => {
      const { text: now } = latest.current
      const widgets = widgetsIn(now)
      const widget = widgets.find((one) => one.id === id)
      if (!widget) return
      const change = make(
        widget.at,
        widgets.filter((one) => one !== widget),
      )
      if ('refused' in change) {
        setSaid(change.refused === 'edge' ? t('arrange.edge') : t('arrange.overlap', { widget: id, other: change.by }))
        return
      }
      const next = withWidgetAt(now, id, change.at)
      if (next === null) {
        setSaid(t('arrange.alias', { widget: id }))
        return
      }
      write(next)
    },
    [t, write],
  )
  /** The id of the new widget; null: it can’t be written. */
  const add = useCallback(
    (type: Widget['type']): string | null => {
      const next = withNewWidget(latest.current.text, type)
      if (next === null) setSaid(t('arrange.noAdd'))
      else write(next.text)
      return next?.id ?? null
    },
    [t, write],
  )
  const remove = useCallback(
    (id: string) => {
      const next = withoutWidget(latest.current.text, id)
      if (next === null) setSaid(t('arrange.noRemove', { widget: id }))
      else write(next)
    },
    [t, write],
  )
  /** Runs an undo or a redo of the editor, and shows its places at once. */
  const follow = useCallback(
    (change: () => void) => {
      flushSync(change)
      changed(latest.current.text)
    },
    [changed],
  )
  const isAhead = ahead !== null && !text.settled && ahead.text === text.text
  return { arrange, add, remove, follow, said, ahead: isAhead ? ahead.places : null }
}
