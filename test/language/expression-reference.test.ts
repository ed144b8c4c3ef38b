import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { expressionReference } from './expression-reference.ts'

it('docs/expressions.md has every function, operator and limit as they are', () => {
  const path = join(import.meta.dirname, '../../docs/expressions.md')
  const page = expressionReference()
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(path, page)
  expect(existsSync(path) ? readFileSync(path, 'utf8') : '').toBe(page)
})
