import { expect, it } from 'vitest'
import { parseJob } from '../../../src/language/job/parse-job.ts'
import { parseTask } from '../../../src/language/task/parse-task.ts'
import { readYaml } from '../../../src/language/yaml/read-yaml.ts'
import { fixtures, jobFixtures } from '../fixtures/fixtures.ts'
import { jobCatalogue } from '../fixtures/job-catalogue.ts'
import { mistakesIn } from './seed-mistakes.ts'

/** What a hint gives to paste: `key: value` in backticks, and values in double quotes or brackets after "Write". */
function snippetsOf(hint: string): string[] {
  const pairs = [...hint.matchAll(/`([\w.-]+: [^`]*)`/g)].map((match) => match[1] ?? '')
  const values = [...hint.matchAll(/Write ("(?:[^"\\]|\\.)*"|\[[^\n]*?\])(?= in quotes|[.,]|$)/g)]
  return [...pairs, ...values.map((match) => `key: ${match[1]}`)]
}

function problemsOf(snippet: string): string[] {
  const problems: string[] = []
  readYaml(snippet, ({ code, message }) => problems.push(`${code}: ${message.message}`))
  return problems
}

it('what a hint says to write is YAML when it is pasted', () => {
  const hints = new Set<string>()
  for (const { text, language, valid } of [...fixtures(), ...jobFixtures()]) {
    const texts = [text, ...(valid ? mistakesIn(text, language).map((mistake) => mistake.text) : [])]
    for (const written of texts) {
      const { diagnostics } = language === 'job' ? parseJob(written, jobCatalogue) : parseTask(written)
      for (const { hint } of diagnostics) if (hint !== undefined) hints.add(hint)
    }
  }
  const snippets = [...hints].flatMap((hint) => snippetsOf(hint).map((snippet) => ({ hint, snippet })))
  expect(snippets.length).toBeGreaterThan(50)
  expect(snippets.filter(({ snippet }) => problemsOf(snippet).length > 0)).toEqual([])
})
