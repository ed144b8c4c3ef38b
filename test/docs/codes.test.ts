import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { errorCodes } from '../../src/contract/errors.ts'
import { texts as serverTexts } from '../../src/contract/messages.ts'
import { texts as runTexts } from '../../src/contract/run-messages.ts'
import { engineErrorCodes } from '../../src/executor/engine/errors.ts'
import { texts as findings } from '../../src/language/messages.ts'
import { diagnosticCodes } from '../../src/language/diagnostic-codes.ts'
import { readMarkdown } from '../../tools/docs/markdown.ts'
import { withReasons } from '../../tools/docs/reasons.ts'

/** Codes of runs that come from around the engine: its worker, its executor, the server. */
const aroundTheEngine = [
  'TIMEOUT',
  'WORKER_CRASHED',
  'REJECTS_LOST',
  'OUTCOME_UNRESOLVED',
  'EXECUTOR_LOST',
  'EXECUTOR_STOPPED',
  'EXECUTOR_SHUTDOWN',
]

describe.each([
  ['docs/troubleshooting.md', [...Object.keys(errorCodes), 'NETWORK']],
  ['docs/run-errors.md', [...Object.keys(engineErrorCodes), ...aroundTheEngine]],
  ['docs/diagnostics.md', Object.keys(diagnosticCodes)],
])('%s', (file, codes) => {
  const { sections } = readMarkdown(readFileSync(file, 'utf8'))
  const entries = sections.filter(({ heading }) => /^[A-Z_]{4,}$|^[a-z]+(?:_[a-z]+)+$/.test(heading))

  test('has an entry for every code, and for none that does not exist', () => {
    expect(entries.map(({ heading }) => heading).toSorted()).toEqual(codes.toSorted())
  })

  test('says for each what it means and how to fix it', () => {
    expect(
      entries.filter(({ text }) => !text.includes('Fix: ') || text.length < 25).map(({ heading }) => heading),
    ).toEqual([])
  })
})

test.each(['diagnostics', 'run-errors'] as const)(
  'docs/%s.md lists the texts of the catalog: `npm run docs -- --update` writes them',
  (name) => {
    const page = readFileSync(`docs/${name}.md`, 'utf8')
    expect(page).toBe(withReasons(page, name))
  },
)

test('run error codes say correctly whether they are retried', () => {
  const { sections } = readMarkdown(readFileSync('docs/run-errors.md', 'utf8'))
  const wrong = Object.entries(engineErrorCodes).filter(([code, { retryable }]) => {
    const text = sections.find(({ heading }) => heading === code)?.text ?? ''
    return !text.endsWith(`Retried: ${retryable ? 'yes' : 'no'}.`)
  })
  expect(wrong.map(([code]) => code)).toEqual([])
})

test.each([
  ['run-errors', { ...runTexts, ...serverTexts }],
  ['diagnostics', findings],
])('every reason has an address on docs/%s.md', (name, texts) => {
  const page = readMarkdown(readFileSync(`docs/${name}.md`, 'utf8'))
  const html = page.render({ link: (href) => ({ href }), picture: () => '' })
  const ids = [...html.matchAll(/<li id="reason-(\w+)">/g)].map(([, reason = '']) => reason)
  expect(ids.toSorted()).toEqual(Object.keys(texts).toSorted())
})
