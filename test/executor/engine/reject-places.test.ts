import { describe, expect, it } from 'vitest'
import { folderWith, readFiles } from './read-files.ts'

const cast = (columns: string) => `{cast: {columns: {${columns}}, on_error: quarantine}}`

/** Every reason with the row that it is of, from the file's name on. */
async function rejectsOf(
  files: Record<string, string>,
  { steps, more = '', options = '' }: { steps: string; more?: string; options?: string },
) {
  const glob = 'a.csv' in files ? '*.csv' : '*.jsonl'
  const { run, folder } = await readFiles(folderWith(files), glob, { steps: `[${steps}]`, more, files: options })
  expect(run.error).toBeUndefined()
  return run.rejects.map(({ reason, row }): [string, Record<string, unknown>] => [
    reason.replaceAll(`${folder}/`, ''),
    row,
  ])
}

const lines = (bad: ReadonlySet<number>, row: (at: number, isBad: boolean) => string) =>
  Array.from({ length: 30_000 }, (_, at) => `${row(at, bad.has(at))}\n`).join('')

describe('a row that `expect` rejects', () => {
  it('comes with its file and line and the values that were checked', async () => {
    const files = { 'a.csv': 'id,v\n1,1\n2,-1\n', 'b.csv': 'id,v\n\n3,\n2,"4"\n' }
    const expectation =
      '{derive: {w: v * 2}}, {expect: [{name: positive, check: w > 0, on_fail: quarantine}, {name: once, unique: [id], on_fail: quarantine}]}'
    expect(await rejectsOf(files, { steps: expectation })).toEqual([
      ['a.csv, line 3: positive: expected w > 0, got w = -2', { id: 2, v: -1, w: -2 }],
      ['b.csv, line 3: positive: expected w > 0, got w = NULL', { id: 3, v: null, w: null }],
    ])
  })

  it('has its line among more rejects than are looked up together, and where earlier steps have rejected others', async () => {
    const csv = `id,v\n${lines(new Set(), (at) => `${at},${at % 10 === 0 ? 'x' : at}`)}`
    const rejects = await rejectsOf(
      { 'a.csv': csv },
      { steps: `${cast('v: integer')}, {expect: [{name: odd, check: v % 2 = 1, on_fail: quarantine}]}` },
    )
    const even = Array.from({ length: 30_000 }, (_, at) => at).filter((at) => at % 2 === 0 && at % 10 !== 0)
    expect(rejects.slice(3_000)).toEqual(
      even.map((at) => [`a.csv, line ${at + 2}: odd: expected v % 2 = 1, got v = ${at}`, { id: at, v: at }]),
    )
  })

  it('is told without its line where the order is not that of the file', async () => {
    expect(
      await rejectsOf(
        { 'a.csv': 'id\n1\n2\n' },
        {
          steps:
            '{sql: "SELECT * FROM stream ORDER BY id DESC"}, {expect: [{name: small, check: id < 2, on_fail: quarantine}]}',
        },
      ),
    ).toEqual([['small: expected id < 2, got id = 2', { id: 2 }]])
  })
})

describe('the line of a row that a cast rejects is known', () => {
  const bad = new Set([7, 12_345, 29_999])
  const csv = `id,v\n${lines(bad, (at, isBad) => `${at},${isBad ? 'x' : at}`)}`
  const wanted = [...bad].map((at) => ({ line: at + 2, text: `${at},x` }))

  it.each([
    ['a map that computes', "{map: \"{'v': v & ''}\"}"],
    ['a map that passes columns on', "{map: \"{'id': id, 'v': v, 'w': 1}\"}"],
    ['a map that leaves rows out and multiplies others', "{map: \"id % 3 = 1 ? [] : [{'v': v & ''}, {'v': '1'}]\"}"],
  ])('behind %s', async (_, step) => {
    const found = (await rejectsOf({ 'a.csv': csv }, { steps: `${step}, ${cast('v: integer')}` })).map(([, row]) => row)
    expect(found).toEqual(step.includes('% 3') ? wanted.filter(({ line }) => (line - 2) % 3 !== 1) : wanted)
  })

  it.each(['"null"', 'drop', 'quarantine'])('behind a lookup (on_missing: %s)', async (onMissing) => {
    const more = 'inputs: {names: {inline: {rows: [{key: 1, name: odd}, {key: 5, name: x}]}}}'
    const steps = `{derive: {key: id % 6}}, {lookup: {input: names, on: {key: key}, on_missing: ${onMissing}}}, ${cast('v: integer')}`
    const found = await rejectsOf({ 'a.csv': csv }, { steps, more })
    const missing = found.filter(([reason]) => reason.includes('nothing in input'))
    expect(missing).toHaveLength(onMissing === 'quarantine' ? 20_000 : 0)
    expect(missing.slice(0, 1)).toEqual(
      onMissing === 'quarantine'
        ? [['a.csv, line 2: nothing in input `names` for key = 0', { id: 0, v: '0', key: 0 }]]
        : [],
    )
    expect(found.slice(missing.length).map(([, row]) => row)).toEqual(
      onMissing === '"null"' ? wanted : wanted.filter(({ line }) => [1, 5].includes((line - 2) % 6)),
    )
  })

  it('behind lists that are exploded and objects that are flattened', async () => {
    const jsonl = lines(bad, (at, isBad) =>
      JSON.stringify({ id: at, o: { k: at }, items: at % 3 === 0 ? [] : [{ v: '1' }, { v: isBad ? 'x' : '2' }] }),
    )
    const steps = `{explode: items}, {flatten: true}, ${cast('items_v: integer')}`
    const found = (await rejectsOf({ 'a.jsonl': jsonl }, { steps })).map(([reason]) => reason)
    expect(found).toEqual(
      [...bad]
        .filter((at) => at % 3 !== 0)
        .map((at) => expect.stringContaining(`a.jsonl, line ${at + 1}: Column \`items_v\``) as string),
    )
    expect(found).not.toHaveLength(0)
  })

  it('of files of different columns', async () => {
    const files = { 'a.csv': 'id,v\n1,2\n\n2,x\n', 'b.csv': 'v\n3\n\ny\n', 'c.csv': 'w,v\n1,z\n' }
    const found = await rejectsOf(files, { options: ', union_by_name: true', steps: cast('v: integer') })
    expect(found.map(([, row]) => row)).toEqual([
      { line: 4, text: '2,x' },
      { line: 4, text: 'y' },
      { line: 2, text: '1,z' },
    ])
  })

  it.each(['w', 'rowid'])('of files whose unreadable lines were rejected, with a column `%s`', async (last) => {
    const files = {
      'a.csv': `id,v,${last}\n1,2,9\n2\nx,3,8\n3,bad,7\n`,
      'b.csv': `id,v,${last}\n4,5,1,1\n5,worse,6\n`,
    }
    const found = await rejectsOf(files, {
      options: ', columns: {id: integer, v: string}, on_error: quarantine',
      steps: cast('v: integer'),
    })
    expect(found.map(([reason, row]) => [reason.split(':')[0], row])).toEqual([
      ['a.csv, line 3', { line: 3, text: '2' }],
      ['b.csv, line 2', { line: 2, text: '4,5,1,1' }],
      ['a.csv, line 4', { line: 4, text: 'x,3,8' }],
      ['a.csv, line 5', { line: 5, text: '3,bad,7' }],
      ['b.csv, line 3', { line: 3, text: '5,worse,6' }],
    ])
  })
})
