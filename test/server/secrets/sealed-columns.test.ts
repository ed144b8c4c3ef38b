import { afterAll, expect, test } from 'vitest'
import { sealedColumns } from '../../../src/server/platform/sealed-columns.ts'
import { openTestPlatform } from '../../support/platform.ts'

const opened = await openTestPlatform()
afterAll(() => opened.close())

test('every sealed column of the schema is known, so that rotation reaches it', () => {
  const { sqlite } = opened.platform.store
  const found = sqlite
    .prepare<[], { place: string }>(
      `SELECT t.name || '.' || c.name AS place FROM sqlite_schema t, pragma_table_info(t.name) c
       WHERE t.type = 'table' AND c.name LIKE '%sealed%' ORDER BY place`,
    )
    .all()
    .map(({ place }) => place)
  expect(sealedColumns.map(({ table, column }) => `${table}.${column}`).toSorted()).toEqual(found)
})
