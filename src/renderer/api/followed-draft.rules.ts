/** A draft of a record that others may save while it is written. Pure. */
export interface FollowedDraft<R, D> {
  /** The record as it was when the draft was made from it: it is saved over this one. */
  base: R
  draft: D
  /** Somebody else’s, which waits for a decision. */
  theirs: R | null
  /** What was sent to be saved: when it comes back, nobody else has changed anything. */
  sent?: D
}

interface Drafting<R, D> {
  draftOf(record: R): D
  same(a: D, b: D): boolean
}

export function following<R, D>({ draftOf, same }: Drafting<R, D>) {
  const formOf = (record: R): FollowedDraft<R, D> => ({ base: record, draft: draftOf(record), theirs: null })
  const isDirty = ({ base, draft }: FollowedDraft<R, D>) => !same(draft, draftOf(base))

  /**
   * The record was read again. An untouched draft follows it; a touched one stays, and its base unless the fields are as they
   * were, so that saving over somebody else's change is noticed.
   */
  function follow(form: FollowedDraft<R, D>, record: R): FollowedDraft<R, D> {
    if (record === form.base) return form.theirs ? { ...form, theirs: null } : form
    const now = draftOf(record)
    // Untouched, or somebody else has saved the very same.
    if (!isDirty(form) || same(now, form.draft)) return formOf(record)
    const own = same(now, draftOf(form.base)) || (form.sent !== undefined && same(now, form.sent))
    return own ? { ...form, base: record, theirs: null } : { ...form, theirs: record }
  }
  return { formOf, isDirty, follow }
}
export type Following<R, D> = ReturnType<typeof following<R, D>>
