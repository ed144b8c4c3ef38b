import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { operations } from '../../src/contract/operations.ts'

const files = globSync('src/contract/*.ts').filter((file) => !file.endsWith('/operations.ts'))

test('whatever a file of the contract exports as an operation is one', async () => {
  const exported = await Promise.all(
    files.map(async (file): Promise<object> => import(join(process.cwd(), file)) as Promise<object>),
  )
  const ids = exported
    .flatMap((module) => Object.values(module) as unknown[])
    .flatMap((value) =>
      typeof value === 'object' && value !== null && 'method' in value && 'id' in value ? [String(value.id)] : [],
    )
  expect([...new Set(ids)].toSorted()).toEqual(Object.keys(operations).toSorted())
})

// The whole files are imported to gather the operations, so the search for unused exports doesn’t see those of the contract.
test('nothing of the contract is exported in vain', () => {
  const uses = new Map<string, number>()
  for (const file of globSync(['src/**/*.{ts,tsx}', 'test/**/*.{ts,tsx}', 'tools/**/*.{ts,mjs}']))
    for (const name of new Set(readFileSync(file, 'utf8').match(/\w+/g))) uses.set(name, (uses.get(name) ?? 0) + 1)
  const once = files.flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    const names = [...text.matchAll(/^export (?:const|function|type|interface|class) (\w+)/gm)].map(([, name]) => name!)
    return names.filter((name) => uses.get(name) === 1 && text.split(new RegExp(`\\b${name}\\b`)).length === 2)
  })
  expect(once).toEqual([])
})
