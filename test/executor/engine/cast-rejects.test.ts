import { describe, expect, it } from 'vitest'
import { folderWith, readFiles } from './read-files.ts'

const steps = (columns: string, before = '') => `[${before}{cast: {columns: {${columns}}, on_error: quarantine}}]`

describe('a row of a CSV file that a cast step rejects', () => {
  it('comes with its file, its line and the text of the line', async () => {
    const folder = folderWith({ 'a.csv': 'id,v\n1,1.50\n2,2.00\n', 'b.csv': 'id,v\n\n3,3.0\n4,"4.250"\n' })
    const { run, rows } = await readFiles(folder, '*.csv', { steps: steps('v: integer') })
    expect(rows).toEqual([
      { id: 2, v: 2 },
      { id: 3, v: 3 },
    ])
    expect(run.rejects).toMatchObject([
      {
        step: 'cast',
        reason: expect.stringMatching(/a\.csv, line 2: column `v` holds “1.5”/) as string,
        row: { line: 2, text: '1,1.50' },
      },
      {
        step: 'cast',
        reason: expect.stringMatching(/b\.csv, line 4: column `v` holds “4.25”/) as string,
        row: { line: 4, text: '4,"4.250"' },
      },
    ])
  })

  it('keeps its line behind steps that only rename and choose columns', async () => {
    const folder = folderWith({ 'a.csv': 'id,v,w\n1,x,1\n2,7,1\n' })
    const before = '{rename: {v: x}}, {drop: [w]}, {select: [x]}, '
    const { run } = await readFiles(folder, 'a.csv', { steps: steps('x: integer', before) })
    expect(run.rejects).toMatchObject([{ row: { line: 2, text: '1,x,1' } }])
  })

  it('has the row as it is where steps before it have left out or ordered rows', async () => {
    const folder = folderWith({ 'a.csv': 'id,v\n1,7\n2,x\n' })
    const { run } = await readFiles(folder, 'a.csv', { steps: steps('v: integer', '{filter: "id > 1"}, ') })
    expect(run.rejects).toMatchObject([{ row: { id: 2, v: 'x' } }])
  })

  it('is found among 200,000', async () => {
    const bad = new Set([17, 100_000, 199_999])
    const lines = Array.from({ length: 200_000 }, (_, i) => `${i},${bad.has(i) ? '1.50' : `${i}.0`}\n`).join('')
    const { run, rows } = await readFiles(folderWith({ 'a.csv': `id,v\n${lines}` }), 'a.csv', {
      steps: steps('v: integer'),
    })
    expect(rows).toHaveLength(199_997)
    expect(run.rejects.map(({ row }) => row)).toEqual([...bad].map((i) => ({ line: i + 2, text: `${i},1.50` })))
  })
})
