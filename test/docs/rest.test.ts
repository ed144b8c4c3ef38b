import { resolve } from 'node:path'
import { Compile } from 'typebox/schema'
import { expect, test } from 'vitest'
import type { Operation } from '../../src/contract/operation.ts'
import { operations } from '../../src/contract/operations.ts'
import { namedSchemas } from '../../src/contract/operation.ts'
import { readLibrary } from '../../tools/docs/library.ts'

const all: Operation[] = Object.values(operations)
const pages = readLibrary(resolve('.')).pages.filter(({ inApp }) => inApp)

/** Operations whose path fits: `{id}`, a number and a variable of the shell are all parameters. */
function operationsAt(path: string): Operation[] {
  const parts = path.split('/')
  return all.filter((op) => {
    const known = op.path.split('/')
    return (
      known.length === parts.length &&
      known.every((part, at) => part === parts[at] || (part.startsWith('{') && parts[at] !== ''))
    )
  })
}

interface Call {
  place: string
  method: string
  path: string
  query: string[]
  body: string | undefined
}

/** The calls of curl in a piece of shell. */
function callsIn(text: string, place: string): Call[] {
  const lines = text.replaceAll(/\\\n\s*/g, ' ').replaceAll(/'[^']*'/g, (quoted) => quoted.replaceAll('\n', ' '))
  return lines.split('\n').flatMap((line) => {
    const address = /(?:\$AT|\$URL\/api|https?:\/\/[\w.:]+\/api)(\/[^\s"']*)/.exec(line)
    if (!address || !/\b(?:curl|api) /.test(line)) return []
    const [path = '', query = ''] = (address[1] ?? '').split('?', 2)
    const body = /\s-d '([^']*)'/.exec(line)?.[1]
    const sends = body !== undefined || /\s(?:-d|--data-binary)\s/.test(line)
    const method = /-X (\w+)/.exec(line)?.[1] ?? (sends ? 'POST' : 'GET')
    const names = query.split('&').flatMap((pair) => (pair === '' ? [] : [pair.split('=', 1)[0] ?? '']))
    return [{ place, method, path: `/api${path}`, query: names, body }]
  })
}

const calls = pages.flatMap(({ file, markdown }) =>
  markdown.fences
    .filter(({ language }) => language === 'sh')
    .flatMap(({ content, line }) => callsIn(content, `${file}:${line}`)),
)

const propertiesOf = (schema: unknown): string[] =>
  Object.keys((schema as { properties?: object } | undefined)?.properties ?? {})

test('calls of curl name operations, and parameters that they have', () => {
  expect(calls.length).toBeGreaterThan(25)
  const wrong = calls.flatMap(({ place, method, path, query }) => {
    const op = operationsAt(path).find((one) => one.method === method)
    if (!op) return [`${place}: ${method} ${path}`]
    const known = new Set(propertiesOf(op.query))
    return query.filter((name) => !known.has(name)).map((name) => `${place}: ${method} ${path} has no ${name}`)
  })
  expect(wrong).toEqual([])
})

test('bodies that curl sends fit their operations', () => {
  const context = Object.fromEntries([...namedSchemas].map(([name, schema]) => [`${name}#`, schema]))
  const wrong = calls.flatMap(({ place, method, path, body }) => {
    const schema = operationsAt(path).find((one) => one.method === method)?.body
    if (body === undefined || !schema) return []
    const value: unknown = JSON.parse(body)
    const [, errors] = Compile(context, schema).Errors(value)
    return errors.map((error) => `${place}: ${error.instancePath} ${error.message}`)
  })
  expect(wrong).toEqual([])
})

test('operations that are named in the text are there', () => {
  const named = pages.flatMap(({ file, markdown }) =>
    markdown.sections.flatMap(({ text }) =>
      [...text.matchAll(/\b(GET|POST|PUT|PATCH|DELETE) (\/[\w/{}-]+)/g)].map(([, method = '', path = '']) => ({
        file,
        method,
        path: path.startsWith('/api') ? path : `/api${path}`,
      })),
    ),
  )
  expect(named.length).toBeGreaterThan(20)
  const missing = named.filter(({ method, path }) => !operationsAt(path).some((op) => op.method === method))
  expect(missing).toEqual([])
})
