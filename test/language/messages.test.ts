/** Diagnostics are codes with parameters: whoever adds one, words one anew or stops using one finds it here. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fillIn } from '../../src/language/fill-in.ts'
import { isMessage } from '../../src/language/message.ts'
import { msg, texts } from '../../src/language/messages.ts'
import { parseTask } from '../../src/language/task/parse-task.ts'

const codes = Object.keys(texts)
const root = join(import.meta.dirname, '../../src')

test('a diagnostic has the code of its text, what it was made with and its hint as a message', () => {
  const found = parseTask('etl: 1\nkind: pipeline\nnane: a\n').diagnostics.find(({ code }) => code === 'unknown_key')
  expect(found).toMatchObject({
    code: 'unknown_key',
    message: 'Unknown key `nane` of a pipeline.',
    hint: 'Did you mean `name`?',
    params: {
      reason: 'unknown_key',
      key: 'nane',
      owner: { code: 'a_pipeline', params: {}, message: 'a pipeline' },
      fix: { code: 'did_you_mean', params: { near: 'name' }, message: 'Did you mean `name`?' },
    },
  })
})

test('a text names its parameters, lists them, and begins with a capital letter where it says so', () => {
  const show = (value: unknown) => String(value)
  expect(fillIn('`<names>` and <names:or>', { names: ['a', 'b'] }, show)).toBe('`a`, `b` and a or b')
  expect(fillIn('<Name> is "<text>".', { name: 'the a', text: 'x"y' }, show)).toBe('The a is "x\\"y".')
  expect(
    fillIn('<missing:,> and <rest>', { missing: [msg('the_year'), msg('the_day')], rest: 2 }, (value) =>
      isMessage(value) ? 'x' : JSON.stringify(value),
    ),
  ).toBe('x, x and 2')
})

test('the compiler refuses a code without text, a parameter that is missing and one that the text does not use', () => {
  // @ts-expect-error -- no such code
  expect(() => msg('no_such_code')).toThrow(TypeError)
  // @ts-expect-error -- `near` is missing
  msg('did_you_mean', {})
  // @ts-expect-error -- the text has no `id`
  msg('did_you_mean', { near: 'a', id: 1 })
  // @ts-expect-error -- the text has no parameters
  msg('document_empty', { id: 1 })
})

test('every text is used, and parameters have names of their own', () => {
  const sources = ['language', 'server', 'executor', 'renderer/features', 'renderer/ui']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter((name) => name.endsWith('.ts') && !name.startsWith('language/messages/'))
    .map((name) => readFileSync(join(root, name), 'utf8'))
    .join('\n')
  const used = new Set([...sources.matchAll(/'([a-z0-9_]+)'/g)].map(([, code]) => code))
  // `suggest` makes them of the nouns.
  const nouns = new Set(
    'keys names fields columns functions arguments parameters slots inputs steps connectors tasks pools channels types kinds'.split(
      ' ',
    ),
  )
  expect(codes.filter((code) => !used.has(code) && !nouns.has(code))).toEqual([])
  // A diagnostic has these beside them.
  expect(Object.values(texts).filter((text) => /<(reason|fix)\b/i.test(text))).toEqual([])
})

test('a code is in lower case and stands in one catalog', () => {
  expect(codes.filter((code) => !/^[a-z][a-z0-9_]*$/.test(code))).toEqual([])
  const folder = join(root, 'language/messages')
  const written = readdirSync(folder).flatMap((name) => [
    ...readFileSync(join(folder, name), 'utf8').matchAll(/^  (\w+):(?:$| ['"])/gm),
  ])
  expect(written).toHaveLength(codes.length)
})
