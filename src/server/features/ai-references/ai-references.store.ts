import { type SQL, and, eq, or, sql } from 'drizzle-orm'
import type { AiReferencePart, listAiReferences } from '../../../contract/ai-references.ts'
import type { QueryOf } from '../../../contract/operation.ts'
import { keysetPage } from '../../platform/keyset.ts'
import { searched } from '../../platform/list-filters.ts'
import type { Store } from '../../platform/store.ts'
import { type AiReferenceRow, aiReferences as references } from './ai-references.table.ts'
import { type Part, searchWords } from './reference-parts.rules.ts'

/** Parts in which a word is frequent. */
const FREQUENT = 500
/** Parts that are compared at most. */
const CANDIDATES = 2_500

type Saved = Pick<AiReferenceRow, 'title' | 'kind' | 'tags' | 'size'>
export type FoundPart = Omit<AiReferencePart, 'complete'>

const searchText = ({ title, tags }: Saved) => [title, ...tags].join('\n').toLowerCase()

/** Of references whose text has these words. */
function holding(q: string): SQL | undefined {
  const words = searchWords(q)
  return words.length === 0
    ? undefined
    : sql`${references.id} IN (SELECT reference_id FROM ai_reference_parts WHERE id IN
        (SELECT rowid FROM ai_reference_fts WHERE ai_reference_fts MATCH ${words.join(' AND ')}))`
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
  const clearParts = sqlite.prepare<[number]>('DELETE FROM ai_reference_parts WHERE reference_id = ?')
  const putPart = sqlite.prepare<[number, string, string]>(
    'INSERT INTO ai_reference_parts (reference_id, heading, text) VALUES (?, ?, ?)',
  )
  const frequency = sqlite.prepare<{ word: string; most: number }, { n: number }>(
    'SELECT count(*) AS n FROM (SELECT 1 FROM ai_reference_fts WHERE ai_reference_fts MATCH :word LIMIT :most)',
  )
  // A heading says what a part is about.
  const ofChosen = sqlite.prepare<{ words: string; ids: string; most: number }, FoundPart>(`
    SELECT parts.reference_id, refs.title, parts.heading, parts.text FROM ai_reference_fts AS found
    JOIN ai_reference_parts AS parts ON parts.id = found.rowid
    JOIN ai_references AS refs ON refs.id = parts.reference_id
    WHERE ai_reference_fts MATCH :words AND parts.reference_id IN (SELECT value FROM json_each(:ids))
    ORDER BY bm25(ai_reference_fts, 4.0, 1.0), found.rowid LIMIT :most`)
  const ofAll = sqlite.prepare<{ words: string; candidates: number; most: number }, FoundPart>(`
    SELECT parts.reference_id, refs.title, parts.heading, parts.text FROM (
      SELECT id, score FROM (
        SELECT rowid AS id, bm25(ai_reference_fts, 4.0, 1.0) AS score FROM ai_reference_fts
        WHERE ai_reference_fts MATCH :words LIMIT :candidates
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

  const get = (id: number): AiReferenceRow | undefined =>
    db.select().from(references).where(eq(references.id, id)).get()

  function put(row: AiReferenceRow, text: string, parts: readonly Part[]): AiReferenceRow {
    putContent.run(row.id, text)
    clearParts.run(row.id)
    for (const { heading, text: part } of parts)
      putPart.run(row.id, heading === '' ? row.title : `${row.title} › ${heading}`, part)
    return row
  }

  return {
    list({ q, kind, cursor, limit }: QueryOf<typeof listAiReferences>) {
      return keysetPage<AiReferenceRow>({
        store,
        table: references,
        where: and(
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
      db.select().from(references).where(eq(references.title, title)).get(),
    content(id: number): string {
      const row = content.get(id)
      if (!row) throw new Error(`Reference ${id} has no text`)
      return row.content
    },
    /** Bytes of all of them. */
    total: (): number => total.get()?.bytes ?? 0,

    insert: (
      saved: Saved & Pick<AiReferenceRow, 'created_by' | 'created_at'>,
      text: string,
      parts: readonly Part[],
    ): AiReferenceRow =>
      put(
        db
          .insert(references)
          .values({ ...saved, search_text: searchText(saved), revision: 1 })
          .returning()
          .get(),
        text,
        parts,
      ),
    save: (id: number, saved: Saved, updated_at: string, text: string, parts: readonly Part[]): AiReferenceRow =>
      put(
        db
          .update(references)
          .set({ ...saved, search_text: searchText(saved), updated_at, revision: sql`${references.revision} + 1` })
          .where(eq(references.id, id))
          .returning()
          .get(),
        text,
        parts,
      ),
    remove(id: number): void {
      // One by one, so that the index hears of each.
      clearParts.run(id)
      db.delete(references).where(eq(references.id, id)).run()
    },

    /** The parts that match any of the words best; `ids` null: of all references. */
    best(words: readonly string[], ids: readonly number[] | null, most: number): FoundPart[] {
      if (ids) return ofChosen.all({ words: words.join(' OR '), ids: JSON.stringify(ids), most })
      const found = significantWords(words)
      return found === '' ? [] : ofAll.all({ words: found, candidates: CANDIDATES, most })
    },
  }
}
