import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createKeptRows } from '../../../src/server/features/queries/kept-rows.ts'

function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-kept-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const chunk = (at: number, size = 10) => ({
  seq: at + 1,
  rows: 2,
  offset: at * 2,
  cut: [],
  bytes: Buffer.alloc(size, String(at % 10)),
})

test('rows are found again after others have taken their place in memory', async () => {
  const kept = createKeptRows(tempFolder()).open('one')
  for (let at = 0; at < 30; at++) await kept.add(chunk(at))
  for (const row of [0, 59, 17, 40, 1]) {
    const at = Math.floor(row / 2)
    expect(await kept.find(row)).toEqual(chunk(at))
  }
  expect(await kept.find(60)).toBeNull()
})

test('a result that is too large lets go of its beginning, and of the long values there', async () => {
  const kept = createKeptRows(tempFolder(), { ofResult: 100, ofAll: 1000 }).open('one')
  await kept.addCell({ row: 0, field: 1 }, Buffer.alloc(10))
  for (let at = 0; at < 30; at++) await kept.add(chunk(at))
  expect(kept.firstRow).toBe(40)
  expect(await kept.find(39)).toBeNull()
  expect(kept.cell(0, 1)).toBeNull()
  expect(await kept.find(40)).toEqual(chunk(20))
})

test('pieces of long values count: rows make room for them, and one that is too long alone is refused', async () => {
  const kept = createKeptRows(tempFolder(), { ofResult: 100, ofAll: 1000 }).open('one')
  for (let at = 0; at < 5; at++) await kept.add(chunk(at))
  await kept.addCell({ row: 10, field: 0 }, Buffer.alloc(70))
  expect(kept.firstRow).toBe(4)
  await expect(kept.addCell({ row: 10, field: 0 }, Buffer.alloc(70))).rejects.toThrow('more than may be held')
})

test('results that are too large together shorten the largest', async () => {
  const rows = createKeptRows(tempFolder(), { ofResult: 1000, ofAll: 100 })
  const [small, large] = [rows.open('small'), rows.open('large')]
  await small.add(chunk(0))
  for (let at = 0; at < 30; at++) await large.add(chunk(at))
  expect([small.firstRow, large.firstRow]).toEqual([0, 42])
})

test('a disk that is nearly full keeps room for the store: results let go of all but what was not read yet', async () => {
  const folder = tempFolder()
  const rows = createKeptRows(folder, { spare: Number.MAX_SAFE_INTEGER })
  const kept = rows.open('one')
  for (let at = 0; at < 30; at++) await kept.add(chunk(at))
  expect(kept.firstRow).toBe(56)
  expect([await kept.find(56), await kept.find(58)]).toEqual([chunk(28), chunk(29)])
  expect(await kept.find(0)).toBeNull()
  await expect(kept.addCell({ row: 60, field: 0 }, Buffer.alloc(70))).rejects.toThrow('more than may be held')
})

test('what a server that was killed has left is removed at the next start', () => {
  const folder = tempFolder()
  mkdirSync(join(folder, 'results', 'old'), { recursive: true })
  writeFileSync(join(folder, 'results', 'old', '1'), 'rows')
  createKeptRows(folder)
  expect(existsSync(join(folder, 'results', 'old'))).toBe(false)
})
