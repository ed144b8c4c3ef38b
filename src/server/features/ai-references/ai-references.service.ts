import { setImmediate as otherRequests } from 'node:timers/promises'
import {
  type AiReference,
  type AiReferencePart,
  type AiReferenceSummary,
  MAX_REFERENCES_BYTES,
  MAX_REFERENCE_BYTES,
  type createAiReference,
  type listAiReferences,
} from '../../../contract/ai-references.ts'
import { msg } from '../../../contract/messages.ts'
import type { BodyOf, QueryOf } from '../../../contract/operation.ts'
import type { Caller } from '../../platform/caller.ts'
import type { Platform } from '../../platform/platform.ts'
import { keepNameUnique, recordName } from '../../platform/record-name.ts'
import { invalid, notFound } from '../../platform/refusal.ts'
import { tagMistakes } from '../../platform/tags.rules.ts'
import { createAiReferencesStore } from './ai-references.store.ts'
import type { AiReferenceRow } from './ai-references.table.ts'
import { SHORT, searchWords } from './reference-parts.rules.ts'

type Body = BodyOf<typeof createAiReference>

/** Parts of long references that one prompt uses. */
const BEST = 8

export type AiReferencesService = ReturnType<typeof createAiReferencesService>

export function createAiReferencesService({
  store,
  clock,
  events,
  logger,
}: Pick<Platform, 'store' | 'clock' | 'events' | 'logger'>) {
  const references = createAiReferencesStore(store)
  const need = (id: number): AiReferenceRow => references.get(id) ?? notFound()
  const changed = ({ id, title, kind }: AiReferenceRow, removed = false) =>
    events.append('ai_reference.changed', id, { title, kind, removed })

  let working: Promise<void> | undefined
  let ending = false
  async function work(): Promise<void> {
    // What asks for it may be in a transaction.
    for (let more = true; more;) {
      await otherRequests()
      if (ending) return
      more = store.transaction(() => {
        const row = references.indexPiece()
        if (row?.indexed) changed(row)
        return row !== undefined
      })
    }
  }
  /** Long references are indexed in pieces between other requests; what a stop or a crash left is taken up at the start. */
  function index(): void {
    working ??= work()
      .catch((error: unknown) =>
        logger.warn({ err: error }, 'References could not be indexed: the next start tries again'),
      )
      .finally(() => (working = undefined))
  }

  function checked({ kind, content, tags = [], ...body }: Body, before: AiReferenceRow | undefined) {
    const title = recordName(body.title, { before: before?.title, path: 'body.title' })
    const mistakes = tagMistakes(tags, before?.tags ?? [], 'body.tags')
    if (mistakes.length > 0) invalid(mistakes)
    const size = Buffer.byteLength(content)
    if (size > MAX_REFERENCE_BYTES) invalid([{ path: 'body.content', ...msg('reference_too_large') }])
    if (content.includes('\0')) invalid([{ path: 'body.content', ...msg('control_characters') }])
    if (content.trim() === '') invalid([{ path: 'body.content', ...msg('field_empty') }])
    if (references.total() - (before?.size ?? 0) + size > MAX_REFERENCES_BYTES)
      invalid([{ path: 'body.content', ...msg('references_full') }])
    keepNameUnique('reference', title, references.getByTitle(title), before?.id)
    return { title, kind, tags, size }
  }

  const present = (row: AiReferenceRow): AiReference => ({ ...head(row), content: references.content(row.id) })

  return {
    list(query: QueryOf<typeof listAiReferences>) {
      const { rows, ...page } = references.list(query)
      return { result: rows.map(head), ...page }
    },
    get: (id: number): AiReference => present(need(id)),
    etag: (id: number): string => etagOf(need(id)),
    /** The same as long as none of these is changed or deleted. */
    stateOf: (ids: readonly number[]): string =>
      ids
        .map((id) => {
          const row = references.get(id)
          return row ? etagOf(row) : `${id} deleted`
        })
        .join(' '),

    create: (body: Body, caller: Caller): AiReference =>
      store.transaction(() => {
        const saved = { ...checked(body, undefined), created_by: caller.user_id, created_at: clock.iso() }
        const row = references.insert(saved, body.content)
        changed(row)
        index()
        return present(row)
      }),

    update: (id: number, body: Body, guard: (etag: string) => void): AiReference =>
      store.transaction(() => {
        const before = need(id)
        guard(etagOf(before))
        const row = references.save(before, checked(body, before), clock.iso(), body.content)
        changed(row)
        index()
        return present(row)
      }),

    remove: (id: number) =>
      store.transaction(() => {
        const row = need(id)
        changed(row, true)
        references.remove(row)
        index()
        return { success: true }
      }),

    index,
    async ended(): Promise<void> {
      ending = true
      await working
    },
    /** How many of these references are being indexed, so that parts may be missing; undefined: of all of them. */
    indexing: (ids: readonly number[] | undefined): number => references.pending(ids ?? null),

    /** What a prompt uses of these references; undefined: of all of them. */
    retrieve(prompt: string, ids: readonly number[] | undefined): AiReferencePart[] {
      const chosen = ids?.map((id, index) => {
        const row = references.get(id)
        return row ?? invalid([{ path: `body.reference_ids[${index}]`, ...msg('reference_unknown', { id }) }])
      })
      const isShort = ({ size }: AiReferenceRow) => size <= SHORT
      const complete = (chosen ?? []).filter(isShort).map(({ id, title }) => ({
        reference_id: id,
        title,
        heading: '',
        text: references.content(id),
        complete: true,
      }))
      const long = chosen?.filter((row) => !isShort(row)).map(({ id }) => id) ?? null
      const words = long?.length === 0 ? [] : searchWords(prompt)
      const found = words.length === 0 ? [] : references.best(words, long, BEST)
      return [...complete, ...found.map((part) => ({ ...part, complete: false }))]
    },
  }
}

const head = ({
  search_text: _,
  revision: __,
  parts_from: ___,
  removed: ____,
  indexed,
  ...row
}: AiReferenceRow): AiReferenceSummary => ({
  ...row,
  indexing: !indexed,
})
const etagOf = ({ id, revision }: AiReferenceRow) => `ai-reference-${id}-${revision}`
