import { expect, it } from 'vitest'
import { urlBelow } from '../../../src/executor/connectors/web/config.ts'

const base = new URL('https://api.example/v1')

it.each([
  ['items', '/v1/items'],
  ['items/group%2Fproject', '/v1/items/group%2Fproject'],
  ['items/a%2F..%2Fb', '/v1/items/a%2F..%2Fb'],
  ['a/../b', '/v1/b'],
  ['%252e%252e%252fadmin', '/v1/%252e%252e%252fadmin'],
])('a path stays below the base URL, encoded slashes as written: %s', (path, sent) => {
  expect(urlBelow(base, path).pathname).toBe(sent)
})

it.each([
  '../admin',
  'a/../../admin',
  '..%2fadmin',
  '..%2Fadmin',
  'a/..%2f..%2fadmin',
  '%2e%2e%2fadmin',
  '..%5cadmin',
  'a%2F..%2F..%2Fadmin',
])('a path that leads out of it, also for a server that decodes slashes, is refused: %s', (path) => {
  expect(() => urlBelow(base, path)).toThrow(expect.objectContaining({ code: 'PATH_OUTSIDE_FOLDER' }))
})
