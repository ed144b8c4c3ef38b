import { expect, test } from 'vitest'
import { sources, writtenWords } from './window-code.ts'

/** Names, units and pieces of syntax that are the same in every language. */
const sameEverywhere = new Set(['Headgate', 'YAML', 'NULL', 'undefined', 'ms', 'Ctrl'])

/** Values to imitate: addresses, JSON. */
const isExample = (text: string) => /^\{|^\w+:\/\//.test(text)

const isWord = (text: string) => /\p{L}{2,}/u.test(text) && !sameEverywhere.has(text.trim()) && !isExample(text)

test('no word of a page stands in code: all come from the words of a language', () => {
  const found = sources.flatMap(({ name, nodes }) =>
    [...writtenWords(nodes)].filter(isWord).map((text) => `${name}: ${text.trim().replaceAll(/\s+/g, ' ')}`),
  )
  expect(found).toEqual([])
})
