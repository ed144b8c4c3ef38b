import { expect, test } from 'vitest'
import { labelBook, phraseBook } from '../../../src/renderer/i18n/phrases.ts'

const say = phraseBook(
  {
    'Remove it.': 'Entfernen.',
    '`<name>` is missing: <noun> needs it.': '`<name>` fehlt: <noun> braucht es.',
    '<name> must be <wanted>, not <actual>.': '<name> muss <wanted> sein, nicht <actual>.',
    'This is not valid YAML: <message*>.': 'Das ist kein gültiges YAML: <message>.',
    'A task named <name> exists already (id <id>).': 'Eine Aufgabe namens <name> gibt es schon (ID <id>).',
  },
  {
    text: 'Text',
    'a list': 'eine Liste',
    'a source with `<kind>`': 'eine Quelle mit `<kind>`',
    '<a> or <b>': '<a> oder <b>',
  },
)

test('a sentence is said with its parts in their places, and parts that are words are said, too', () => {
  expect(say('Remove it.')).toBe('Entfernen.')
  expect(say('`glob` is missing: a source with `files` needs it.')).toBe(
    '`glob` fehlt: eine Quelle mit `files` braucht es.',
  )
  expect(say('`steps` must be a list or text, not text.')).toBe('`steps` muss eine Liste oder Text sein, nicht Text.')
})

test('what stands in backticks or quotes is data, whatever it says', () => {
  expect(say('`text` is missing: a source with `a list` needs it.')).toBe(
    '`text` fehlt: eine Quelle mit `a list` braucht es.',
  )
  expect(say('A task named "a list of things (id 4)" exists already (id 7).')).toBe(
    'Eine Aufgabe namens "a list of things (id 4)" gibt es schon (ID 7).',
  )
})

test('a sentence with words in it that are not known stays whole; a far system may say what it likes', () => {
  expect(say('`a` must be a wheel of fortune, not text.')).toBeUndefined()
  expect(say('This is not valid YAML: Flow map must end with }.')).toBe(
    'Das ist kein gültiges YAML: Flow map must end with }.',
  )
})

test('several sentences are said one after the other, or not at all', () => {
  expect(say('`a` must be text, not a list. Remove it.')).toBe('`a` muss Text sein, nicht eine Liste. Entfernen.')
  expect(say('Remove it. Then dance.')).toBeUndefined()
})

test('parts of sentences are no sentences: a text that says `text` stays', () => {
  expect(say('text')).toBeUndefined()
  expect(say('a list')).toBeUndefined()
})

test('the parts of a label are data', () => {
  const label = labelBook({ 'append table <name>': 'append in Tabelle <name>' })
  expect(label('append table my own table')).toBe('append in Tabelle my own table')
  expect(label('filter a > 1')).toBeUndefined()
})
