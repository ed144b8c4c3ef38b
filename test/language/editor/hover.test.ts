import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hoverTask } from '../../../src/language/hover.ts'
import { fixtures } from '../fixtures/fixtures.ts'

const head =
  'etl: 1\nkind: pipeline\nargs:\n  since: {type: datetime, default: "2024-01-01", description: From when on}\n'
function at(marked: string): { markdown: string; text: string } | null {
  const offset = marked.lastIndexOf('¦')
  const text = marked.replace('¦', '')
  const hover = hoverTask(text, offset)
  return hover && { markdown: hover.markdown, text: text.slice(hover.from, hover.to) }
}

describe('hoverTask', () => {
  it('explains a key, with type and default', () => {
    const hover = at(`${head}target: {connector: db, table: t, mo¦de: upsert}`)
    expect(hover?.text).toBe('mode')
    expect(hover?.markdown).toContain('append | replace | upsert')
    expect(hover?.markdown).toContain('Default: `"append"`')
  })

  it('explains a chosen word', () => {
    expect(at(`${head}target: {connector: db, table: t, mode: ups¦ert}`)).toEqual({
      text: 'upsert',
      markdown: expect.stringContaining(
        '**mode: upsert** — Rows with the same `key` are updated, others are added.',
      ) as unknown,
    })
  })

  it('tells the source of one kind from another by the keys beside', () => {
    expect(at(`${head}source:\n  connector: x\n  files:\n    gl¦ob: a`)?.markdown).toContain('Files to read')
    expect(at(`${head}steps:\n  - sql: {que¦ry: SELECT 1}`)?.markdown).toContain('over `stream`')
  })

  it('explains the keys of every kind of task, and what its expressions may use', () => {
    expect(at('kind: script\nname: x\nscr¦ipt: return 1')?.markdown).toContain('JavaScript')
    expect(at('kind: sql\nname: x\nsql: {connector: db, trans¦action: false}')?.markdown).toContain('one transaction')
    expect(at('kind: http\noutputs: {a: "${{ response.st¦atus }}"}')?.markdown).toContain('Status code')
    expect(at('kind: sq¦l')?.markdown).toBe(
      '**kind: sql** — Statements inside one database, or a table created from a query.',
    )
    expect(at(`${head}state: {cursor: {field: a, type: integer, la¦g: 5}}`)?.markdown).toContain('How far before')
    const cursor = 'state: {cursor: {field: a, type: integer}}\nsource: {inline: {rows: [{a: "${{ state.cur¦sor }}"}]}}'
    expect(at(head + cursor)?.markdown).toContain('Where reading starts')
  })

  it('explains arguments in SQL and in expressions', () => {
    for (const marked of ['steps:\n  - filter: a > :si¦nce', 'source: {inline: {rows: [{a: "${{ args.si¦nce }}"}]}}']) {
      const hover = at(head + marked)
      expect(hover?.markdown).toContain('From when on')
      expect(hover?.markdown).toContain('datetime')
    }
    expect(at(`${head}steps:\n  - filter: ":si¦nce'"`)?.text).toBe(':since')
    expect(at(`${head}steps:\n  - filter: "':si¦nce'"`)).toBeNull()
  })

  it('explains functions and fields', () => {
    expect(at(`${head}outputs: {a: "\${{ $upper¦case('a') }}"}`)?.markdown).toContain('$uppercase(text)')
    expect(at(`${head}outputs: {a: "\${{ run.item_c¦ount }}"}`)).toEqual({
      text: 'run.item_count',
      markdown: '**run.item_count** — Rows committed.',
    })
    expect(at(`${head}outputs: {a: "\${{ ru¦n.id }}"}`)?.text).toContain('run')
  })

  it('has nothing to say where there is nothing', () => {
    expect(at('¦')).toBeNull()
    expect(at('no¦thing: 1')).toBeNull()
    expect(at('a: [¦')).toBeNull()
  })

  it('never throws at any offset of any document', () => {
    const texts = fixtures()
      .map((fixture) => fixture.text)
      .filter((text) => text.length < 5_000)
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.nat(5_000), (text, place) => {
        const offset = place % (text.length + 1)
        const hover = hoverTask(text, offset)
        if (!hover) return
        expect(hover.from).toBeLessThanOrEqual(offset)
        expect(hover.to).toBeGreaterThanOrEqual(offset)
        expect(hover.markdown).toMatch(/^\*\*/)
      }),
      { numRuns: 600 },
    )
  })
})
