import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OperationId } from '../../contract/operations.ts'
import { ApiFailure, ifMatch } from './client.ts'
import { type SavedOver, saveOver } from './save-over.rules.ts'

interface SaveOver<R, V> extends SavedOver<R, V> {
  /** What is being edited, as the form was filled from it. Null: a new one, which nobody else can have changed. */
  opened: R | null
  invalidates: readonly OperationId[]
}

const isConflict = (error: unknown) => error instanceof ApiFailure && error.code === 'CONFLICT'

/** Saves a form over what it was filled from and over nothing else: what somebody else has saved meanwhile is told first. */
export function useSaveOver<R extends object, V>({ opened, invalidates, read, ...form }: SaveOver<R, V>) {
  const client = useQueryClient()
  const { t } = useTranslation()
  const [base, setBase] = useState(opened)
  const [theirs, setTheirs] = useState<R | null>(null)
  const readAgain = async (record: R) => {
    try {
      return await read(record)
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.code !== 'NOT_FOUND') throw error
      throw new ApiFailure(error.status, error.code, t('overtaken.gone'))
    }
  }
  const action = useMutation<R | null, ApiFailure, V>({
    mutationFn: async (values) => {
      if (base === null) return null
      const outcome = await saveOver({ ...form, read: readAgain }, { ifMatch, isConflict }, base, values)
      if ('saved' in outcome) return outcome.saved
      setTheirs(outcome.theirs)
      return null
    },
    // It is saved once the lists show it: whoever opens it again from there sees his own values, and not somebody else's.
    onSuccess: async (saved) => {
      if (!saved) return
      await Promise.all(invalidates.map((id) => client.invalidateQueries({ queryKey: [id] })))
    },
  })
  return {
    error: action.error,
    busy: action.isPending,
    theirs,
    save: (values: V, onSaved: (saved: R) => void) =>
      action.mutate(values, {
        onSuccess: (saved) => {
          if (saved) onSaved(saved)
        },
      }),
    /** One of the two is chosen: from now on it is saved over theirs. */
    settle: () => {
      setBase(theirs)
      setTheirs(null)
    },
  }
}
