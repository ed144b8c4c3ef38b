import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { taskSchema } from '../../src/language/task/task-schema.ts'
import { taskReference } from './task-reference.ts'

it('docs/task-language.md has every key as the language reads it', () => {
  const path = join(import.meta.dirname, '../../docs/task-language.md')
  const page = taskReference(taskSchema)
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(path, page)
  expect(existsSync(path) ? readFileSync(path, 'utf8') : '').toBe(page)
})
