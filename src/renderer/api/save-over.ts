import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { OperationId } from '../../contract/operations.ts'
import { type ApiFailure, etagOf } from './client.ts'

export interface SaveOver<R, V> {
  /** What is being edited, as the form was filled from it. Null: a new one, which nobody else can have changed. */
  opened: R | null
  read: (opened: R) => Promise<R>
  /** The part of a record that the form shows: what else becomes of the record meanwhile is no matter of his who edits it. */
  held: (record: R) => unknown
  /** `headers` name the very record that was looked at, where its reading gives an ETag. */
  put: (opened: R, values: V, headers: Readonly<Record<string, string>>) => Promise<R>
  invalidates: readonly OperationId[]
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Saves a form over what it was filled from and over nothing else: what somebody else has saved meanwhile is told first. */
export function useSaveOver<R extends object, V>({ opened, read, held, put, invalidates }: SaveOver<R, V>) {
  const client = useQueryClient()
  const [base, setBase] = useState(opened)
  const [theirs, setTheirs] = useState<R | null>(null)
  const action = useMutation<R | null, ApiFailure, V>({
    mutationFn: async (values) => {
      if (base === null) return null
      const now = await read(base)
      if (!same(held(now), held(base))) {
        setTheirs(now)
        return null
      }
      const etag = etagOf(now)
      return await put(now, values, etag ? { 'if-match': etag } : {})
    },
    onSuccess: () => {
      for (const id of invalidates) void client.invalidateQueries({ queryKey: [id] })
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
