import { type SQL, and, eq, or, sql } from 'drizzle-orm'
import type { AiReferencePart, listAiReferences } from '../../../contract/ai-references.ts'
import type { QueryOf } from '../../../contract/operation.ts'
import { keysetPage } from '../../platform/keyset.ts'
import { searched } from '../../platform/list-filters.ts'
import type { Store } from '../../platform/store.ts'
import { type AiReferenceRow, aiReferences as references } from './ai-references.table.ts'
import { type Part, partsOf, searchWords } from './reference-parts.rules.ts'

/** Parts in which a word is frequent. */
const FREQUENT = 500
/** Parts that are compared at most. */
const CANDIDATES = 2_500

type Saved = Pick<AiReferenceRow, 'title' | 'kind' | 'tags' | 'size'>
export type FoundPart = Omit<AiReferencePart, 'complete'>

/** Parts that one turn of the event loop indexes or clears. */
const PIECE = 8
/** References of at most so many bytes are indexed when they are saved. */
const AT_ONCE = 16 * 1024

const searchText = ({ title, tags }: Saved) => [title, ...tags].join('\n').toLowerCase()

/** Of references whose text has these words. */
function holding(q: string): SQL | undefined {
  const words = searchWords(q)
  return words.length === 0
    ? undefined
    : sql`${references.id} IN (SELECT reference_id FROM ai_reference_parts WHERE id IN
        (SELECT rowid FROM ai_reference_fts WHERE ai_reference_fts MATCH ${words.join(' AND ')})
        AND ai_reference_parts.id >= ${references.parts_from})`
}

export function createAiReferencesStore(store: Store) {
  const { db, sqlite } = store
  const total = sqlite.prepare<[], { bytes: number }>('SELECT coalesce(sum(size), 0) AS bytes FROM ai_references')
  const content = sqlite.prepare<[number], { content: string }>(
    'SELECT content FROM ai_reference_texts WHERE reference_id = ?',
  )
  const putContent = sqlite.prepare<[number, string]>(
    'INSERT INTO ai_reference_texts VALUES (?, ?) ON CONFLICT (reference_id) DO UPDATE SET content = excluded.content',
  )
  const clearContent = sqlite.prepare<[number]>('DELETE FROM ai_reference_texts WHERE reference_id = ?')
  const clearParts = sqlite.prepare<[number]>('DELETE FROM ai_reference_parts WHERE reference_id = ?')
  const putPart = sqlite.prepare<[number, string, string]>(
    'INSERT INTO ai_reference_parts (reference_id, heading, text) VALUES (?, ?, ?)',
  )
  const clearOld = sqlite.prepare<{ id: number; from: number; most: number }>(`
    DELETE FROM ai_reference_parts WHERE id IN (
      SELECT id FROM ai_reference_parts WHERE reference_id = :id AND id < :from ORDER BY id LIMIT :most)`)
  const indexedParts = sqlite.prepare<[number, number], { n: number }>(
    'SELECT count(*) AS n FROM ai_reference_parts WHERE reference_id = ? AND id >= ?',
  )
  const nextPart = sqlite.prepare<[], { id: number }>(
    "SELECT coalesce(max(seq), 0) + 1 AS id FROM sqlite_sequence WHERE name = 'ai_reference_parts'",
  )
  const pending = sqlite.prepare<[string | null, string | null], { n: number }>(`
    SELECT count(*) AS n FROM ai_references
    WHERE indexed = 0 AND removed = 0 AND (? IS NULL OR id IN (SELECT value FROM json_each(?)))`)
  const frequency = sqlite.prepare<{ word: string; most: number }, { n: number }>(
    'SELECT count(*) AS n FROM (SELECT 1 FROM ai_reference_fts WHERE ai_reference_fts MATCH :word LIMIT :most)',
  )
  // A heading says what a part is about.
  const ofChosen = sqlite.prepare<{ words: string; ids: string; most: number }, FoundPart>(`
    SELECT parts.reference_id, refs.title, parts.heading, parts.text FROM ai_reference_fts AS found
    JOIN ai_reference_parts AS parts ON parts.id = found.rowid
    JOIN ai_references AS refs ON refs.id = parts.reference_id
    WHERE ai_reference_fts MATCH :words AND parts.reference_id IN (SELECT value FROM json_each(:ids))
      AND parts.id >= refs.parts_from
    ORDER BY bm25(ai_reference_fts, 4.0, 1.0), found.rowid LIMIT :most`)
  const ofAll = sqlite.prepare<{ words: string; candidates: number; most: number }, FoundPart>(`
    SELECT parts.reference_id, refs.title, parts.heading, parts.text FROM (
      SELECT id, score FROM (
        SELECT rowid AS id, bm25(ai_reference_fts, 4.0, 1.0) AS score FROM ai_reference_fts
        WHERE ai_reference_fts MATCH :words AND rowid NOT IN (
          SELECT old.id FROM ai_references AS changed
          JOIN ai_reference_parts AS old ON old.reference_id = changed.id AND old.id < changed.parts_from
          WHERE changed.indexed = 0
        ) LIMIT :candidates
      ) ORDER BY score, id LIMIT :most
    ) AS found
    JOIN ai_reference_parts AS parts ON parts.id = found.id
    JOIN ai_references AS refs ON refs.id = parts.reference_id ORDER BY found.score, found.id`)

  /** Words in every other part tell none from another, and take the longest: without them unless there are no others. */
  function significantWords(words: readonly string[]): string {
    const counted = words
      .map((word) => ({ word, n: frequency.get({ word, most: FREQUENT })?.n ?? 0 }))
      .filter(({ n }) => n > 0)
      .toSorted((a, b) => a.n - b.n)
    let parts = 0
    const rare = counted.filter(({ n }) => n < FREQUENT && (parts += n) <= CANDIDATES)
    return (rare.length > 0 ? rare : counted.slice(0, 1)).map(({ word }) => word).join(' OR ')
  }

  const isThere = eq(references.removed, false)
  const get = (id: number): AiReferenceRow | undefined =>
    db
      .select()
      .from(references)
      .where(and(isThere, eq(references.id, id)))
      .get()

  /** The parts of the text that is indexed now, cut once. */
  let cut: { of: string; parts: Part[] } | undefined

  function putParts({ id, title }: AiReferenceRow, parts: readonly Part[]): void {
    for (const { heading, text } of parts) putPart.run(id, heading === '' ? title : `${title} › ${heading}`, text)
  }
  function put(row: AiReferenceRow, text: string): AiReferenceRow {
    putContent.run(row.id, text)
    if (!row.indexed) return row
    clearParts.run(row.id)
    putParts(row, partsOf(row.kind, text))
    return row
  }
  const isShort = ({ size }: Pick<AiReferenceRow, 'size'>) => size <= AT_ONCE

  return {
    list({ q, kind, cursor, limit }: QueryOf<typeof listAiReferences>) {
      return keysetPage<AiReferenceRow>({
        store,
        table: references,
        where: and(
          isThere,
          kind && eq(references.kind, kind),
          q ? or(searched(references.search_text, q), holding(q)) : undefined,
        ),
        sort: [{ column: references.id, direction: 'desc' }],
        cursor,
        limit,
      })
    },
    get,
    getByTitle: (title: string): AiReferenceRow | undefined =>
      db
        .select()
        .from(references)
        .where(and(isThere, eq(references.title, title)))
        .get(),
    content(id: number): string {
      const row = content.get(id)
      if (!row) throw new Error(`Reference ${id} has no text`)
      return row.content
    },
    /** Bytes of all of them. */
    total: (): number => total.get()?.bytes ?? 0,

    insert: (saved: Saved & Pick<AiReferenceRow, 'created_by' | 'created_at'>, text: string): AiReferenceRow =>
      put(
        db
          .insert(references)
          .values({ ...saved, search_text: searchText(saved), revision: 1, indexed: isShort(saved), parts_from: 0 })
          .returning()
          .get(),
        text,
      ),
    save: (before: AiReferenceRow, saved: Saved, updated_at: string, text: string): AiReferenceRow =>
      put(
        db
          .update(references)
          .set({
            ...saved,
            search_text: searchText(saved),
            updated_at,
            revision: sql`${references.revision} + 1`,
            indexed: before.indexed && isShort(before) && isShort(saved),
            // From here on, nothing of the text before is found.
            parts_from: nextPart.get()?.id ?? 1,
          })
          .where(eq(references.id, before.id))
          .returning()
          .get(),
        text,
      ),

    /**
     * Indexes or clears some parts of one reference that is not indexed, in a transaction of the caller; goes on where it was left.
     * Gives the reference, with `indexed` once it is complete; undefined: there is none left.
     */
    indexPiece(): AiReferenceRow | undefined {
      const row = db
        .select()
        .from(references)
        .where(sql`${references.indexed} = 0`)
        .orderBy(references.id)
        .limit(1)
        .get()
      if (!row) {
        cut = undefined
        return undefined
      }
      const of = `${row.id}.${row.revision}.${row.removed}`
      if (cut?.of !== of) cut = { of, parts: row.removed ? [] : partsOf(row.kind, content.get(row.id)?.content ?? '') }
      const done = indexedParts.get(row.id, row.parts_from)?.n ?? 0
      const next = cut.parts.slice(done, done + PIECE)
      putParts(row, next)
      if (next.length > 0 || clearOld.run({ id: row.id, from: row.parts_from, most: PIECE }).changes > 0) return row
      const isIt = eq(references.id, row.id)
      if (!row.removed) return db.update(references).set({ indexed: true }).where(isIt).returning().get()
      db.delete(references).where(isIt).run()
      return row
    },
    /** How many of these are not completely indexed; null: of all. */
    pending(ids: readonly number[] | null): number {
      const list = ids && JSON.stringify(ids)
      return pending.get(list, list)?.n ?? 0
    },
    /** A long one is gone for everyone immediately, and its parts later, in pieces. */
    remove(row: AiReferenceRow): void {
      const isIt = eq(references.id, row.id)
      if (row.indexed && isShort(row)) {
        // One by one, so that the index hears of each.
        clearParts.run(row.id)
        db.delete(references).where(isIt).run()
        return
      }
      clearContent.run(row.id)
      const title = `\0${row.id}`
      db.update(references)
        // No title has a control character; nothing of the text is found from here on.
        .set({ title, search_text: '', size: 0, removed: true, indexed: false, parts_from: nextPart.get()?.id ?? 1 })
        .where(isIt)
        .run()
    },

    /** The parts that match any of the words best; `ids` null: of all references. */
    best(words: readonly string[], ids: readonly number[] | null, most: number): FoundPart[] {
      if (ids) return ofChosen.all({ words: words.join(' OR '), ids: JSON.stringify(ids), most })
      const found = significantWords(words)
      return found === '' ? [] : ofAll.all({ words: found, candidates: CANDIDATES, most })
    },
  }
}
