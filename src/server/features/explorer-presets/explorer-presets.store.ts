import { type SQL, and, eq, isNull, or, sql } from 'drizzle-orm'
import type { listExplorerPresets } from '../../../contract/explorer-presets.ts'
import type { QueryOf } from '../../../contract/operation.ts'
import { keysetPage } from '../../platform/keyset.ts'
import { searched } from '../../platform/list-filters.ts'
import type { Store } from '../../platform/store.ts'
import { type ExplorerPresetRow, explorerPresets as presets } from './explorer-presets.table.ts'

type Saved = Pick<ExplorerPresetRow, 'name' | 'description' | 'connector_id' | 'resource' | 'definition'>

const searchText = ({ name, description }: Saved) => `${name}\n${description ?? ''}`.toLowerCase()

/** What is visible at a place of the Explorer; everything where no place is named. */
function visibleAt(connectorId: number | undefined, resource: string | undefined): SQL | undefined {
  const here = connectorId === undefined ? undefined : eq(presets.connector_id, connectorId)
  const exact = resource === undefined ? undefined : or(isNull(presets.resource), eq(presets.resource, resource))
  const shown = and(here, exact)
  return shown && or(isNull(presets.connector_id), shown)
}

export function createExplorerPresetsStore(store: Store) {
  const { db } = store
  return {
    list({ connector_id, resource, q, cursor, limit }: QueryOf<typeof listExplorerPresets>) {
      return keysetPage<ExplorerPresetRow>({
        store,
        table: presets,
        where: and(visibleAt(connector_id, resource), searched(presets.search_text, q)),
        sort: [{ column: presets.id, direction: 'desc' }],
        cursor,
        limit,
      })
    },
    get: (id: number): ExplorerPresetRow | undefined => db.select().from(presets).where(eq(presets.id, id)).get(),
    insert: (preset: Saved & Pick<ExplorerPresetRow, 'created_by' | 'created_at'>): ExplorerPresetRow =>
      db
        .insert(presets)
        .values({ ...preset, search_text: searchText(preset), revision: 1 })
        .returning()
        .get(),
    save: (id: number, preset: Saved, updated_at: string): ExplorerPresetRow =>
      db
        .update(presets)
        .set({ ...preset, search_text: searchText(preset), updated_at, revision: sql`${presets.revision} + 1` })
        .where(eq(presets.id, id))
        .returning()
        .get(),
    /** The preset that bundles call so, and its text in them. */
    record: (name: string) =>
      db.get<{ id: number; content: string } | undefined>(
        sql`SELECT id, content FROM explorer_preset_records WHERE name = ${name}`,
      ),
    remove: (id: number): void => void db.delete(presets).where(eq(presets.id, id)).run(),
  }
}
