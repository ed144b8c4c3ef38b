import { Text } from '@codemirror/state'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseBlocks, parseInline } from '../../../src/renderer/ui/code/markdown.ts'
import { offsetAt, offsetsOf } from '../../../src/renderer/ui/code/text-positions.ts'

describe('places in a text', () => {
  const doc = Text.of(['first', '', 'third'])
  it('are counted from one', () => {
    expect(offsetAt(doc, 1, 1)).toBe(0)
    expect(offsetAt(doc, 3, 3)).toBe(9)
  })
  it('stay inside, however far the text has changed since', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), fc.integer(), fc.integer(), (line, column, end_line, end_column) => {
        const { from, to } = offsetsOf(doc, { line, column, end_line, end_column })
        expect(from).toBeGreaterThanOrEqual(0)
        expect(to).toBeGreaterThanOrEqual(from)
        expect(to).toBeLessThanOrEqual(doc.length)
      }),
    )
  })
  it('are at least one letter wide where the line has one', () => {
    expect(offsetsOf(doc, { line: 1, column: 2, end_line: 1, end_column: 2 })).toEqual({ from: 1, to: 2 })
    expect(offsetsOf(doc, { line: 1, column: 6, end_line: 1, end_column: 6 })).toEqual({ from: 4, to: 5 })
    expect(offsetsOf(doc, { line: 2, column: 1, end_line: 2, end_column: 1 })).toEqual({ from: 6, to: 6 })
  })
})

describe('the language’s own Markdown', () => {
  it('has paragraphs, lists and code', () => {
    expect(parseBlocks('One\ntwo.\n\n- a\n- b\n\n```yaml\nx: 1\n\ny: 2\n```\nend')).toEqual([
      { kind: 'text', text: 'One two.' },
      { kind: 'list', items: ['a', 'b'] },
      { kind: 'code', text: 'x: 1\n\ny: 2' },
      { kind: 'text', text: 'end' },
    ])
  })
  it('marks code and bold in a sentence, and loses nothing', () => {
    expect(parseInline('Write `${{ x }}`, **not** `{{`.').map(({ kind, text }) => [kind, text])).toEqual([
      ['text', 'Write '],
      ['code', '${{ x }}'],
      ['text', ', '],
      ['bold', 'not'],
      ['text', ' '],
      ['code', '{{'],
      ['text', '.'],
    ])
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z`* ]*$/), (text) => {
        const letters = (one: string) => one.replaceAll(/[`*]/g, '')
        expect(
          letters(
            parseInline(text)
              .map((part) => part.text)
              .join(''),
          ),
        ).toBe(letters(text))
      }),
    )
  })
})
