import { useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import type { Placement } from '../../../language/dashboard/dashboard.types.ts'
import type { ParsedDashboard } from '../../../language/dashboard/parse-dashboard.ts'
import type { DocumentText } from '../../ui/document/use-document-text.ts'
import type { Change, Placed } from './placement.rules.ts'
import { widgetsIn, withWidgetAt } from './widget-text.ts'

export type Arrange = (id: string, make: (at: Placement, others: readonly Placed[]) => Change) => void

/** Writes where widgets stand into the text as it is at that moment. */
export function useArrange(text: DocumentText<ParsedDashboard>) {
  const { t } = useTranslation('dashboardTemplates')
  const [said, setSaid] = useState('')
  /** Places of a text that is not checked yet. */
  const [ahead, setAhead] = useState<{ text: string; places: ReadonlyMap<string, Placement> } | null>(null)
  const latest = useRef(text)
  useEffect(() => {
    latest.current = text
  })
  const arrange: Arrange = useCallback(
    (id, make) => {
      const { text: now, setText } = latest.current
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
      // The next key moves on from here, before the text has been checked.
      flushSync(() => {
        setText(next)
        setAhead({ text: next, places: new Map(widgetsIn(next).map((one) => [one.id, one.at])) })
        setSaid('')
      })
    },
    [t],
  )
  const isAhead = ahead !== null && !text.settled && ahead.text === text.text
  return { arrange, said, ahead: isAhead ? ahead.places : null }
}
