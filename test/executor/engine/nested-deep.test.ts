import { describe, expect, it } from 'vitest'
import { folderWith, readFiles } from './read-files.ts'

/** In Thrift's compact protocol. */
function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))]
}
const whole = (value: number): number[] => varint(value * 2)

/** A Parquet file without rows, whose one column lies below so many groups. */
function nested(groups: number): Buffer {
  const named = (name: string): number[] => [...varint(name.length), ...Buffer.from(name), 0x15, ...whole(1), 0]
  const root = [0x48, ...named('schema')]
  const group = [0x35, ...whole(1), 0x18, ...named('g')]
  const leaf = [0x15, ...whole(1), 0x25, ...whole(1), 0x18, 1, 0x78, 0]
  const schema = [root, ...Array.from({ length: groups }, () => group), leaf]
  const version = [0x15, ...whole(1)]
  const list = [0x19, 0xfc, ...varint(schema.length), ...schema.flat()]
  const footer = Buffer.from([...version, ...list, 0x16, ...whole(0), 0x19, 0x0c, 0])
  const length = Buffer.alloc(4)
  length.writeUInt32LE(footer.length)
  return Buffer.concat([Buffer.from('PAR1'), footer, length, Buffer.from('PAR1')])
}

describe('Parquet', () => {
  it.each([1, 3, 100])('nested %i levels deep is read', async (levels) => {
    const { run } = await readFiles(folderWith({ 'a.parquet': nested(levels) }), 'a.parquet')
    expect(run.error).toBeUndefined()
    expect(run.item_count).toBe(0)
  })

  it.each([300, 50_000])('nested %i levels deep is refused', async (levels) => {
    for (const glob of ['a.parquet', '*.parquet']) {
      const folder = folderWith({ 'a.parquet': nested(levels), 'b.parquet': nested(levels) })
      const { run, message } = await readFiles(folder, glob)
      expect([run.error?.code, message]).toEqual([
        'FILE_UNREADABLE',
        'a.parquet nests its columns more than 200 levels deep',
      ])
    }
  })

  it('with a damaged footer is unreadable, and no fault of ours', async () => {
    const file = nested(3)
    for (let at = 4; at < file.length - 8; at++) {
      const broken = Buffer.from(file)
      broken[at] = 0xff
      const { run } = await readFiles(folderWith({ 'a.parquet': broken }), 'a.parquet')
      expect([at, run.error?.code === 'INTERNAL_ERROR' && run.error.message]).toEqual([at, false])
    }
  })
})
