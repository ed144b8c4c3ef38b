import { expect, test } from 'vitest'
import { mostErrorsSearched } from '../../../src/contract/runs.ts'
import { createErrorSearch } from '../../../src/server/features/runs/run-error-search.ts'
import { createRunListStore } from '../../../src/server/features/runs/run-list.store.ts'
import { controlPlane } from './control-plane.ts'

/** Failed runs, several in the same millisecond and by every trigger; the oldest and every thousandth say something else. */
async function planeWithFailures(count: number) {
  const plane = await controlPlane()
  const { store } = plane.platform
  const insert = store.sqlite.prepare(`
    INSERT INTO runs (task_id, task_name, task_version, trigger_type, status, logical_date, ready_at, created_at, updated_at,
      completed_at, error_message)
    VALUES (1, 't', 1, @trigger, @status, @at, @at, @at, @at, @at, @error)`)
  store.transaction(() => {
    for (let i = 1; i <= count; i += 1) {
      const at = new Date(1_700_000_000_000 + Math.floor(i / 7) * 10).toISOString()
      const error = i === 1 ? 'Die Straße ist GESPERRT' : i % 1000 === 0 ? 'No space (100%)' : 'Timed out'
      const trigger = ['manual', 'cron', 'api'][i % 3]
      insert.run({ trigger, at, error, status: i % 50 === 0 && i % 1000 !== 0 ? 'success' : 'failed' })
    }
  })
  return { plane, list: createRunListStore(store.sqlite) }
}

test('failed runs are found by their error however old they are, newest first and whatever the case', async () => {
  const { list } = await planeWithFailures(5000)
  const search = createErrorSearch(list, () => 0)
  expect((await search({ q: 'no SPACE (100%)' })).result.map(({ id }) => id)).toEqual([5000, 4000, 3000, 2000, 1000])
  const oldest = await search({ q: 'straße ist gesperrt' })
  expect(oldest).toMatchObject({ result: [{ id: 1 }], searched: 5000 - 95, complete: true })
  expect(await search({ q: 'timed', limit: 3 })).toMatchObject({ searched: 4, complete: true })
  expect(await search({ q: '%' })).toMatchObject({ result: { length: 5 } })
  expect(await search({ q: 'nowhere' })).toMatchObject({ result: [], complete: true })
})

test('the search ends after so many runs, after so long, and when nobody waits for it any more, and says so', async () => {
  const { list } = await planeWithFailures(mostErrorsSearched + 1500)
  const search = createErrorSearch(list, () => 0)
  expect(await search({ q: 'gesperrt' })).toEqual({ result: [], searched: mostErrorsSearched, complete: false })
  let now = 0
  const slow = createErrorSearch(list, () => (now += 400))
  expect(await slow({ q: 'gesperrt' })).toMatchObject({ complete: false, searched: 750 })
  expect(await search({ q: 'gesperrt' }, AbortSignal.abort())).toMatchObject({ complete: false, searched: 250 })
})
