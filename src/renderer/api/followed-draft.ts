import { useState } from 'react'
import type { Following } from './followed-draft.rules.ts'

/** A draft that is written while others may save the record. `record` is the newest that was read; the rules stay the same. */
export function useFollowedDraft<R, D>(record: R, { formOf, isDirty, follow }: Following<R, D>) {
  const [form, setForm] = useState(() => formOf(record))
  const [seen, setSeen] = useState(record)
  if (record !== seen) {
    setSeen(record)
    setForm(follow(form, record))
  }
  const { theirs } = form
  const adopt = (other: R) => setForm(formOf(other))
  return {
    ...form,
    dirty: isDirty(form),
    write: (change: (now: D) => D) => setForm((now) => ({ ...now, draft: change(now.draft) })),
    /** Goes on from a record that was just saved here. */
    adopt,
    sends: (sent: D) => setForm((now) => ({ ...now, sent })),
    /** The choice between the two, while there is one. */
    overtaken:
      theirs === null
        ? null
        : { onKeep: () => setForm((now) => ({ ...now, base: theirs, theirs: null })), onTake: () => adopt(theirs) },
  }
}
