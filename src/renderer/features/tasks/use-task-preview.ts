import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { canPreview, comparedSlot, previewKey, previewSlots, stageNames } from './task-parts.ts'
import { useLiveChoice, useLivePreview } from './use-live-preview.ts'
import { type PreviewRequest, type PreviewState, usePreview } from './use-preview.ts'
import type { RunInputsState } from './use-run-inputs.ts'
import type { DocumentText } from '../../ui/document/use-document-text.ts'
import type { ReadTask } from './read-task.ts'

export interface TaskPreviewState {
  preview: PreviewState
  /** The rows belong to the text, connectors and arguments as they are now. */
  current: boolean
  /** Why a preview cannot be started now, or null. */
  obstacle: string | null
  /** Errors of the text, which keep the rows at what they were before them. */
  errors: number
  /** A kind of task that shows no rows, because a preview would do its work. */
  unseen: string | null
  /** Slots that a preview reads. */
  required: readonly string[]
  /** Names of the stages that the text has. */
  names: readonly string[]
  limit: number
  setLimit(limit: number): void
  live: boolean
  setLive(live: boolean): void
  /** Live, but waiting for a first word: a source is marked production. */
  held: boolean
  /** The rows are of a preview that was asked for by hand. */
  asked: boolean
  /** A preview that was asked for by hand is under way. */
  awaited: boolean
  start(): void
}

const noSlots: readonly string[] = []

interface Options {
  text: DocumentText<ReadTask>
  inputs: RunInputsState
  allowed: boolean
  /** The rows are in sight: nothing is read for a pane that nobody sees. */
  watched: boolean
}

/** The preview of the text in the editor: what it needs, whether it is up to date, and that it follows what is typed. */
export function useTaskPreview({ text, inputs, allowed, watched }: Options): TaskPreviewState {
  const { t } = useTranslation('tasks')
  const preview = usePreview()
  const [limit, setLimit] = useState(100)
  const [live, setLive] = useLiveChoice()
  const [askedKey, setAskedKey] = useState<string | null>(null)
  const { task, kind } = text.parsed
  // What cannot be read keeps the slots and stages that it had when it last could.
  const [known, setKnown] = useState(task)
  if (task && task !== known) setKnown(task)
  const required = useMemo(() => (known ? previewSlots(known) : noSlots), [known])
  const names = useMemo(() => (known ? stageNames(known) : ['source']), [known])
  const unseen = known && !canPreview(known) && kind === known.kind ? known.kind : null
  const missing = required.filter((slot) => inputs.mapping[slot] === undefined)
  const unread = Object.keys(inputs.read.problems)
  const obstacle =
    unseen !== null
      ? t('preview.unseen', { kind: unseen })
      : text.broken
        ? t(text.untouched ? 'preview.unwritten' : 'preview.errorsFirst')
        : missing.length > 0
          ? t('preview.noSlots', { slots: missing.join(', ') })
          : unread.length > 0
            ? t('preview.noArguments', { names: unread.join(', ') })
            : null

  const taskKey = useMemo(() => (task ? previewKey(task) : null), [task])
  const isProduction = (slot: string): boolean =>
    inputs.connectors.some((one) => one.id === inputs.mapping[slot] && one.environment === 'production')
  const production = required.some(isProduction)
  const held = production && askedKey === null
  // Of the text as it was last checked: while letters come in, what is shown stays what it is.
  const request = ((): PreviewRequest | null => {
    if (!task || obstacle !== null || !inputs.connectorsLoaded) return null
    const compared = comparedSlot(task)
    // The columns of a table in production are looked at once somebody asks.
    const looked =
      compared !== null && (askedKey !== null || !isProduction(compared)) ? [...required, compared] : required
    const mapping = Object.fromEntries(Object.entries(inputs.mapping).filter(([slot]) => looked.includes(slot)))
    const values = inputs.read.values
    return {
      yaml_content: text.text,
      connector_mapping: mapping,
      arguments: values,
      limit,
      key: `${JSON.stringify([mapping, values, limit])} ${taskKey}`,
    }
  })()
  const ready = text.settled ? request : null
  useLivePreview(preview, ready, allowed && watched && live && !held)

  // Asked for with the last letter: the text is checked first.
  const [queued, setQueued] = useState(false)
  const begin = () => {
    if (!ready) return
    inputs.remember()
    setAskedKey(ready.key)
    preview.start(ready)
  }
  const latest = useRef(begin)
  useEffect(() => {
    latest.current = begin
  })
  useEffect(() => {
    if (!queued || !text.settled) return
    setQueued(false)
    latest.current()
  }, [queued, text.settled])
  return {
    preview,
    current: request !== null && preview.resultKey === request.key && preview.error === null,
    obstacle,
    errors: text.parsed.diagnostics.filter((one) => one.severity === 'error').length,
    unseen,
    required,
    names,
    limit,
    setLimit,
    live,
    setLive,
    held: held && live && obstacle === null,
    asked: askedKey !== null && preview.resultKey === askedKey,
    awaited: preview.running && askedKey !== null && preview.key === askedKey,
    start: () => setQueued(true),
  }
}
