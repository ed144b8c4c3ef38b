import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseTask } from '../../../src/language/task/parse-task.ts'

const kinds = {
  page: 'param: page, max_pages: 9',
  offset: 'param: skip, max_pages: 9',
  cursor: 'from: next, param: after, max_pages: 9',
  link: 'max_pages: 9',
  next_url: 'from: next, max_pages: 9',
}
const codesOf = (paginate: string): string[] =>
  parseTask(`etl: 1
kind: pipeline
name: pages
connectors: {api: {type: http}, out: {type: file, access: write}}
source: {connector: api, http: {path: /rows, paginate: {${paginate}}}}
target: {connector: out, file: {path: o.jsonl}}
`).diagnostics.map(({ path, message }) => `${path}: ${message}`)

/** What docs/task-language.md says of a key of `http.paginate`. */
const reference = (key: string): string =>
  readFileSync('docs/task-language.md', 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`| \`http.paginate.${key}\` `)) ?? ''

describe('what a kind of pages needs is required, and the reference says so', () => {
  it.each(Object.entries(kinds))('%s', (kind, keys) => {
    expect(codesOf(`kind: ${kind}, ${keys}`)).toEqual([])
    for (const needed of keys.split(', ')) {
      const key = needed.split(':')[0] ?? ''
      const others = keys.split(', ').filter((other) => other !== needed)
      expect(codesOf([`kind: ${kind}`, ...others].join(', '))).toEqual([expect.stringContaining(`\`${key}\``)])
      expect(reference(key)).toMatch(
        key === 'max_pages' ? /Required with every kind except `none`/ : new RegExp(`Required with [^.]*\`${kind}\``),
      )
    }
  })

  it('none needs nothing else', () => {
    expect(codesOf('kind: none')).toEqual([])
  })
})
