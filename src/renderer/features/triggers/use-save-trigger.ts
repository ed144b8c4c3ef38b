import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { createEventTrigger, getEventTrigger, updateEventTrigger } from '../../../contract/event-triggers.ts'
import { createTrigger, getTrigger, updateTrigger } from '../../../contract/triggers.ts'
import { call } from '../../api/client.ts'
import { useAction } from '../../api/queries.ts'
import { useSaveOver } from '../../api/save-over.ts'
import {
  type AnyTrigger,
  type TriggerDraft,
  draftOf,
  eventBody,
  isEventTrigger,
  isTimed,
  timedBody,
} from './trigger-draft.ts'

/** What is stale once a trigger has changed. */
export const staleTriggers = ['listTriggers', 'listEventTriggers', 'getTriggerCalendar', 'listJobs', 'getJob'] as const

interface Entered {
  draft: TriggerDraft
  /** Of the typed fields. */
  values: Record<string, unknown>
}

/** Makes a trigger of any kind, or saves the opened one over what it was; a webhook that was made has a token. */
export function useSaveTrigger(opened: AnyTrigger | null, onSaved: (token: string | null) => void) {
  const { t } = useTranslation('triggers')
  const options = { invalidates: staleTriggers }
  const timed = useAction(createTrigger, options)
  const onEvent = useAction(createEventTrigger, options)
  const update = useSaveOver<AnyTrigger, Entered>({
    opened,
    read: async (one) => {
      const params = { id: one.id }
      return isEventTrigger(one) ? await call(getEventTrigger, { params }) : await call(getTrigger, { params })
    },
    held: (one) => draftOf(one, null),
    put: async (one, { draft, values }, headers) => {
      const params = { id: one.id }
      return isTimed(draft.kind)
        ? await call(updateTrigger, { params, body: timedBody(draft, draft.kind, values), headers })
        : await call(updateEventTrigger, { params, body: eventBody(draft), headers })
    },
    ...options,
  })
  const saved = (token: string | null) => {
    notifications.show({ message: t('saved') })
    onSaved(token)
  }
  return {
    error: timed.error ?? onEvent.error ?? update.error,
    theirs: update.theirs,
    settle: update.settle,
    busy: timed.isPending || onEvent.isPending || update.busy,
    save(draft: TriggerDraft, values: Record<string, unknown>) {
      const { kind, jobId: job_id } = draft
      if (opened) update.save({ draft, values }, () => saved(null))
      else if (job_id === null) return
      else if (isTimed(kind)) {
        onEvent.reset()
        timed.mutate({ body: { ...timedBody(draft, kind, values), job_id } }, { onSuccess: () => saved(null) })
      } else {
        timed.reset()
        onEvent.mutate(
          { body: { ...eventBody(draft), job_id, type: kind } },
          { onSuccess: ({ token }) => saved(token) },
        )
      }
    },
  }
}
