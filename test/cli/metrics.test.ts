import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { controlPlane } from '../server/runs/control-plane.ts'
import { endedRuns, expectRollupsOf } from '../server/metrics/naive-rollups.ts'
import { folderWith, headgate } from './command.ts'

it('counts the runs of a data folder anew, once its server has ended', async () => {
  const dataDir = folderWith({})
  const plane = await controlPlane({ dataDir })
  for (const run of [await plane.trigger(), await plane.trigger()])
    await plane.editor.post(`/api/runs/${run.id}/cancel`)
  const rebuild = () => headgate(dataDir, ['metrics', 'rebuild', '--data-dir', dataDir])
  expect(await rebuild()).toMatchObject({ code: 2, err: expect.stringContaining('Another Headgate') })
  await plane.close()
  const sqlite = new Database(join(dataDir, 'headgate.db'))
  sqlite.exec('UPDATE metric_rollups SET runs = runs + 7')
  sqlite.close()
  expect(await rebuild()).toMatchObject({ code: 0, out: 'Metrics rebuilt from 2 runs\n' })
  const rebuilt = new Database(join(dataDir, 'headgate.db'), { readonly: true })
  expectRollupsOf(rebuilt, endedRuns(rebuilt))
  rebuilt.close()
})

it('says what is missing', async () => {
  const folder = folderWith({})
  expect((await headgate(folder, ['metrics'])).err).toContain('The only metrics command is')
  expect((await headgate(folder, ['metrics', 'rebuild'])).err).toContain('--data-dir')
  expect((await headgate(folder, ['metrics', 'rebuild', '--data-dir', folder])).err).toContain('is not a data folder')
})
