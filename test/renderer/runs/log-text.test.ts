import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchesIn, piecesOf, plainText } from '../../../src/renderer/features/runs/log-text.ts'

const red = '\u001b[31m'
const reset = '\u001b[0m'

describe('the text of a log line', () => {
  it('takes ANSI colours apart', () => {
    expect(piecesOf(`ok ${red}bad${reset} ok`)).toEqual([
      { at: 0, text: 'ok ' },
      { at: 3, text: 'bad', fg: 'ansi-red' },
      { at: 6, text: ' ok' },
    ])
  })

  it('marks matches whatever their case', () => {
    expect(piecesOf('Row 7: error in ROW', 'row').filter((piece) => piece.match)).toEqual([
      { at: 0, text: 'Row', match: true },
      { at: 16, text: 'ROW', match: true },
    ])
  })

  it('marks a match that reaches over a change of colour', () => {
    const marked = piecesOf(`con${red}nect${reset}ion`, 'connection').filter((piece) => piece.match)
    expect(marked.map((piece) => piece.text)).toEqual(['con', 'nect', 'ion'])
    expect(marked[1]?.fg).toBe('ansi-red')
  })

  it('shows a message of several lines in one', () => {
    expect(piecesOf('a\nb\r\nc')).toEqual([{ at: 0, text: 'a ⏎ b ⏎ c' }])
  })

  it('cuts what nobody can read in one line', () => {
    expect(piecesOf('x'.repeat(100_000))[0]?.text.length).toBeLessThan(5000)
  })

  it('changes no letter, whatever is searched for', () => {
    const text = fc
      .string({ unit: 'grapheme', maxLength: 200 })
      .filter((one) => !['\r', '\n', '\u001b'].some((letter) => one.includes(letter)))
    fc.assert(
      fc.property(text, fc.string({ unit: 'grapheme', maxLength: 5 }), (message, search) => {
        const pieces = piecesOf(message, search)
        expect(pieces.map((piece) => piece.text).join('')).toBe(message)
        const places = pieces.map((piece) => piece.at)
        expect(new Set(places).size).toBe(places.length)
      }),
    )
  })

  it('finds nothing rather than the wrong place where lower case is longer', () => {
    expect(matchesIn('İstanbul', 'stanbul')).toEqual([])
  })

  it('copies without colours', () => {
    expect(plainText(`ok ${red}bad${reset}`)).toBe('ok bad')
  })
})
