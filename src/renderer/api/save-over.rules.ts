/** Saving a form over what it was filled from, and over nothing else. */

export interface SavedOver<R, V> {
  read: (opened: R) => Promise<R>
  /** The part of a record that the form shows: what else becomes of the record meanwhile is no matter of his who edits it. */
  held: (record: R) => unknown
  /** `headers` name the very record that was looked at, where its reading gives an ETag. */
  put: (opened: R, values: V, headers: Readonly<Record<string, string>>) => Promise<R>
}

interface Means<R> {
  /** Headers that save over this very record. */
  ifMatch: (record: R) => Readonly<Record<string, string>>
  /** Whether a call failed because the record is no more what was read. */
  isConflict: (error: unknown) => boolean
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** What was saved, or what somebody else has saved meanwhile: then nothing is. */
export async function saveOver<R, V>(
  { read, held, put }: SavedOver<R, V>,
  { ifMatch, isConflict }: Means<R>,
  base: R,
  values: V,
): Promise<{ saved: R } | { theirs: R }> {
  const now = await read(base)
  if (!same(held(now), held(base))) return { theirs: now }
  try {
    return { saved: await put(now, values, ifMatch(now)) }
  } catch (error) {
    if (!isConflict(error)) throw error
    // Somebody was faster between the two; or the refusal is about something else, as a name that is taken.
    const later = await read(base)
    if (same(held(later), held(base))) throw error
    return { theirs: later }
  }
}
