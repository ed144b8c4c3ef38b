import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeTemplate, evaluateTemplate, splitTemplate } from '../../../src/language/expressions/template.ts'

const value = (text: string, scope: Record<string, unknown> = { a: 1, b: 'x', o: { k: [1] } }): unknown => {
  const result = evaluateTemplate(text, scope, null)
  return result.ok ? result.value : `! ${result.problem.message}`
}

describe('templates', () => {
  it('are the text itself without expressions', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !text.includes('${{')),
        (text) => {
          expect(value(text)).toBe(text)
        },
      ),
    )
  })

  it('escaped give any text back', () => {
    const text = fc.string({ unit: fc.constantFrom('$', '{', '}', 'a', ' ', '"', '$${{', '${{', '}}') })
    fc.assert(
      fc.property(text, (original) => {
        expect(value(escapeTemplate(original))).toBe(original)
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    ['${{ a }}', 1],
    ['${{a}}', 1],
    [' ${{ a }}', ' 1'],
    ['${{ o }}', { k: [1] }],
    ['x ${{ o }}', 'x {"k":[1]}'],
    ['${{ a }}${{ b }}', '1x'],
    ['${{ "}}" }}', '}}'],
    ["${{ '}}' & b }}", '}}x'],
    ['${{ {"k": {"x": a}} }}', { k: { x: 1 } }],
    ['${{ {"k": {"x": a}}}}', { k: { x: 1 } }],
    ["${{ a /* it's }} here */ + 1 }}", 2],
    ['${{ a /* " */ + 1 }}', 2],
    ['$${{ a }}', '${{ a }}'],
    ['$$${{ a }}', '$${{ a }}'],
    ['${{ nothing }}', undefined],
    ['price: $5', 'price: $5'],
    ['${ a }', '${ a }'],
  ])('%s', (text, expected) => {
    expect(value(text)).toEqual(expected)
  })

  it('refuse nothing and null inside a text', () => {
    expect(value('x ${{ nothing }}')).toBe('! `${{ nothing }}` is nothing, so it can’t be part of a text.')
    expect(value('x ${{ n }}', { n: null })).toBe('! `${{ n }}` is null, so it can’t be part of a text.')
  })

  it.each(['${{ a', '${{ a }', '${{ "a }}', "${{ 'a }}", '${{ {"a": 1 }}', '${{ a /* }}', 'x ${{'])(
    '%s is unclosed',
    (text) => {
      expect(splitTemplate(text)).toEqual({ ok: false, unclosedAt: text.indexOf('${{') })
    },
  )

  it('split into parts that make up the whole', () => {
    const text = fc
      .array(fc.constantFrom('a', '${{', '}}', '"', '{', '}', '$', ' '), { maxLength: 20 })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, (source) => {
        const split = splitTemplate(source)
        const parts = split.ok
          ? split.parts.map((part) =>
              part.kind === 'text' ? escapeTemplate(part.text) : source.slice(part.start, part.end),
            )
          : [source.slice(0, split.unclosedAt), '${{', source.slice(split.unclosedAt + 3)]
        expect(parts.join('')).toBe(source)
      }),
      { numRuns: 2000 },
    )
  })
})
