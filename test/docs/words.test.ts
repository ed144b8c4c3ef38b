import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { connectorTypeSpecs } from '../../src/contract/connector-types.ts'
import { functions } from '../../src/language/expressions/functions.ts'
import { jobSchema } from '../../src/language/job/job-schema.ts'
import { kindDefinitions } from '../../src/language/task/kinds/kind-registry.ts'
import { texts as findings } from '../../src/language/messages.ts'
import { taskScope } from '../../src/language/task/task-scope.ts'
import { taskSchema } from '../../src/language/task/task-schema.ts'
import { texts as messages } from '../../src/contract/messages.ts'
import { texts as runMessages } from '../../src/contract/run-messages.ts'
import { createReferenceApp } from '../../src/server/features/docs/openapi.ts'
import { settings } from '../../src/server/platform/config.settings.ts'

/** Words that mark English no native reader would write, and what is meant. Only what is never right belongs here. */
const oldWords: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/anew|afresh/, 'again'],
  [/meanwhile/, 'in the meantime, while …'],
  [/mend(?:s|ed|ing)?/, 'fix, correct'],
  [/by (?:it|him|her|them)sel(?:f|ves)/, 'automatically'],
  [/of (?:its|his|her|their|my) own/, 'its own …, separate'],
  [/somebody|everybody/, 'someone, everyone'],
  [/nobody/, 'no one, you can’t'],
  [/no moment/, 'never'],
  [/(?:give|gives|gave|given|giving) up/, 'stop, fail'],
  [/(?:go|goes|going|went|gone) on(?! call)/, 'continue'],
  [/(?:is|are|was|were|be|being) told(?! to)/, 'is notified, is reported'],
  [/(?:tell|tells|told|hear|hears|heard|news) of/, 'notify about'],
  [/(?:lies|lie|lay) (?:in|on|at|below|beside|behind|under|inside|outside|there)/, 'is stored in'],
  [/stands?(?!-| in for)/, 'is, is listed, means'],
  [/at once/, 'immediately; at the same time'],
  [/(?<!as a )whole(?! numbers?| seconds?)/, 'complete'],
  [/(?<!there )(?:is|are) no(?! longer| more)/, 'is not a'],
  [/so (?:many|long|much)(?! as)/, 'this number, this time'],
  [/beside/, 'next to'],
  [/whoever/, 'anyone who'],
  [/(?:leave|leaves|leaving|left) (?:out|aside)/, 'omit, skip, ignore'],
  [/(?:take|takes|taking|took|taken) (?:out|along|aside)/, 'remove'],
  [/look(?:s|ed|ing)? at/, 'check, review'],
  [/for ever|(?:become|becomes|became) of/, 'permanently; happens to'],
  [/heals?|healed|healing|wears?|worn/, 'recovers; has'],
  [/he|him|his|himself/, 'they, you'],
  [/firings?/, 'run, scheduled time'],
  [
    /misspelt|licence|(?:colour|behaviour|neighbour|favour)(?:s|ed)?|(?:recogni|organi|normali)s(?:e|ed|es|ing)/,
    'American spelling',
  ],
]

/** Right in these lines all the same. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  // What SQL says of a value in rejected rows, word by word.
  value_of_other_type: ['which is no <type>'],
  'docs/run-errors.md': ['which is no <type>'],
  'CHANGELOG.md': ['the rows of its own keys'],
  // The name of the endpoint's records.
  'docs/glossary.md': ['**firing**'],
  'docs/decisions/0017-when-triggers-fire.md': ['the firing (unique by trigger and scheduled time)'],
  // Quotes the interface contract.
  'docs/decisions/0019-second-factors-and-the-lock.md': ['"sets the full session at once'],
}

const patterns = oldWords.map(([{ source }, instead]) => ({
  pattern: new RegExp(String.raw`\b(?:${source.replaceAll(' ', String.raw`\s+`)})\b`, 'gi'),
  instead,
}))

/** Code, addresses and labels of the window are not the text's own words. */
const notWords = /^```[^]*?^```|`[^`]*`|\]\([^)]*\)|(?<!\*)\*(?!\*)[^*]{1,80}\*(?!\*)/gm

function oldWordsIn(file: string, source: string): string[] {
  const lines = source.split('\n')
  const words = source.replaceAll(notWords, (text) => text.replaceAll(/[^\n]/g, '·'))
  return patterns.flatMap(({ pattern, instead }) =>
    [...words.matchAll(pattern)].flatMap((match) => {
      const line = words.slice(0, match.index).split('\n').length
      if (allowed[file]?.some((text) => lines[line - 1]?.includes(text))) return []
      return [`${file}:${line}: "${match[0].replace('\n', ' ')}": write: ${instead}`]
    }),
  )
}

const describing = new Set(['description', 'summary', 'title', 'x-enum-descriptions', 'fields'])

/** What a document or schema says of itself and its parts. */
function* descriptionsIn(value: unknown, described = false): Generator<string> {
  if (typeof value === 'string' && described) yield value
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value)) yield* descriptionsIn(part, describing.has(key) || described)
}

test('the documentation is written in plain English', () => {
  const pages = globSync(['*.md', 'docs/**/*.md'])
  expect(pages.length).toBeGreaterThan(70)
  expect(pages.flatMap((file) => oldWordsIn(file, readFileSync(file, 'utf8')))).toEqual([])
})

test('examples and the demo are written in plain English', () => {
  const files = globSync('resources/{gallery,demo}/**/*.{yaml,md}')
  expect(files.length).toBeGreaterThan(50)
  expect(files.flatMap((file) => oldWordsIn(file, readFileSync(file, 'utf8')))).toEqual([])
})

test('the OpenAPI document describes everything in plain English', async () => {
  const app = await createReferenceApp()
  await app.ready()
  // Messages of errors, as the responses list them.
  const message = /^(?:\d+ )?[A-Z_]+: /
  const texts = [...descriptionsIn(app.swagger())].filter((text) => !message.test(text))
  await app.close()
  expect(texts.length).toBeGreaterThan(700)
  expect(texts.flatMap((text) => oldWordsIn(text, text))).toEqual([])
})

test('diagnostics are written in plain English', () => {
  expect(Object.entries(findings).flatMap(([code, text]) => oldWordsIn(code, text))).toEqual([])
})

test('languages, settings, and connectors are described in plain English', () => {
  const languages = [taskSchema, jobSchema, taskScope({}), kindDefinitions, [...functions.values()]]
  const texts = [...descriptionsIn([languages, settings, connectorTypeSpecs])]
  expect(texts.length).toBeGreaterThan(700)
  expect(texts.flatMap((text) => oldWordsIn(text, text))).toEqual([])
})

test('the server’s messages are written in plain English', () => {
  expect(Object.entries(messages).flatMap(([code, text]) => oldWordsIn(code, text))).toEqual([])
})

test('errors of runs are written in plain English', () => {
  expect(Object.entries(runMessages).flatMap(([code, text]) => oldWordsIn(code, text))).toEqual([])
})
