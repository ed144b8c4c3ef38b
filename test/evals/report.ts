/** Cases from their file, and what came of them. Pure but for the file. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promptDigest } from '../support/fake-ai.ts'
import type { EvalCase, EvalResult } from './run-case.ts'

export const evalCases = (): EvalCase[] =>
  readFileSync(join(import.meta.dirname, 'cases.jsonl'), 'utf8')
    .trim()
    .split('\n')
    // Written beside this file, one case a line.
    .map((line) => JSON.parse(line) as EvalCase)

/** As a model writes it: the text in a block, unless it is only said. */
export const asBlock = (text: string): string =>
  /^(?:#|etl|select|\{|\/|Customers\?)/i.test(text) ? `\`\`\`\n${text}\n\`\`\`\n` : text

/** What a right model answers, by the digest of the prompt. */
export const recordedAnswers = (): ReadonlyMap<string, readonly string[]> =>
  new Map(evalCases().map(({ prompt, base, answers }) => [promptDigest(prompt, base), answers.map(asBlock)]))

/** A line for each category, then each failure with its reason. */
export function reportOf(results: readonly EvalResult[]): string {
  const categories = [...new Set(results.map(({ category }) => category)), 'all']
  const lines = categories.map((category) => {
    const own = results.filter((one) => category === 'all' || one.category === category)
    const right = own.filter(({ passed }) => passed)
    const first = right.filter(({ attempts }) => attempts <= 1)
    const ms = own.map((one) => one.ms).toSorted((a, b) => a - b)[Math.floor(own.length / 2)] ?? 0
    const share = `${right.length}/${own.length}`
    return `${category.padEnd(12)} ${share.padStart(8)}   ${String(first.length).padStart(3)} at once   ${ms} ms (median)`
  })
  const failures = results.filter(({ passed }) => !passed).map(({ id, reason }) => `${id}: ${reason}`)
  return [...lines, ...(failures.length > 0 ? ['', ...failures] : [])].join('\n')
}
