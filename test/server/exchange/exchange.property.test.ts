import fc from 'fast-check'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { archivedTaskPolicies, conflictPolicies, importModes } from '../../../src/contract/exchange.ts'
import { type TestClient, type TestServer, startTestServer } from '../../support/server.ts'
import {
  type Imported,
  type Line,
  brokenInvariants,
  bundleOf,
  exported,
  importInto,
  recordsOf,
  taskYaml,
  templateYaml,
} from './bundles.ts'

let server: TestServer
let admin: TestClient
const config = { limits: { requestsPerSecond: 100_000, burst: 100_000 } }
beforeAll(async () => {
  server = await startTestServer({ config })
  admin = server.as('admin')
})
afterAll(() => server.close())

const names = ['plain', 'Odd Name', 'odd_name', 'ünï-cödé', '"quoted"', 'a/b.c', '🚂', "it's: #1", '-1', 'null']
const texts = ['', '# B\n', '# C\r\n', 'description: "D"\n', 'nonsense: [\n', '# \u{FEFF}\u2028🚂\n']
const version = (kind: Line['kind'], name: string) =>
  fc.record({ text: fc.constantFrom(...texts), task: fc.constantFrom(...names) }).map(({ text, task }) => {
    const quoted = JSON.stringify(name)
    return (kind === 'task' ? taskYaml(quoted) : templateYaml(quoted, task)) + text
  })
const line = fc
  .tuple(fc.constantFrom('task' as const, 'task' as const, 'job_template' as const), fc.constantFrom(...names))
  .chain(([kind, name]) =>
    fc
      .record({
        history: fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 6 }), version(kind, name)), {
          minLength: 1,
          maxLength: 4,
          selector: ([number]) => number,
        }),
        current: fc.nat(3),
        tags: fc.option(fc.uniqueArray(fc.constantFrom('x', 'y', 'ß'), { maxLength: 2 }), { nil: undefined }),
        archived: fc.boolean(),
      })
      .map(({ history, current, tags, archived }): Line => {
        const versions = history.map(([number, yaml_content]) => ({ version: number, yaml_content }))
        return { kind, name, tags, archived, current_version: versions[current % versions.length]!.version, versions }
      }),
  )
const bundle = fc.uniqueArray(line, { maxLength: 8, selector: ({ kind, name }) => `${kind} ${name}` })
const query = fc.record({
  mode: fc.constantFrom(...importModes),
  conflict_policy: fc.constantFrom(...conflictPolicies),
  archived_task_policy: fc.constantFrom(...archivedTaskPolicies),
  normalize_names: fc.boolean(),
})

test('any bundle, any policy: a dry run says what happens, no rule of the store is broken, again changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(bundle, query, async (lines, options) => {
      const text = bundleOf(...lines)
      const dry = await importInto(admin, text, { ...options, dry_run: true })
      const real = await importInto(admin, text, options)
      expect(dry.text).toBe(real.text)
      expect(real.results).toHaveLength(lines.length)
      const { created, updated, skipped, unchanged, errors } = real.summary
      expect(created + updated + skipped + unchanged + errors).toBe(lines.length)
      expect(brokenInvariants(server)).toEqual([])
      const again = await importInto(admin, text, options)
      expect(again.results.filter(({ action }) => action === 'create' || action === 'update')).toEqual([])
      const named = ({ results }: Imported, action: RegExp) =>
        results.filter((result) => action.test(result.action)).map(({ name }) => name)
      // `create_only` speaks of what is there as its policy says, `unchanged` or not.
      const applied = options.mode === 'create_only' ? [] : named(real, /create|update|unchanged/)
      const same = options.mode === 'create_only' ? [] : named(again, /unchanged/)
      expect(same).toEqual(applied)
    }),
    { numRuns: 40 },
  )
  const all = await exported(admin)
  const empty = await startTestServer({ config })
  const other = empty.as('admin')
  const copied = await importInto(other, all, { mode: 'upsert_all_versions' })
  expect(copied.results.filter(({ action }) => action !== 'create')).toEqual([])
  expect(recordsOf(await exported(other))).toEqual(recordsOf(all))
  await empty.close()
})

test('a damaged bundle is refused as a whole, or read as what it says; never a fault', async () => {
  const damage = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    removed: fc.integer({ min: 0, max: 5 }),
    put: fc.constantFrom('', '"', '{', '}', '\n', '\\', '\\ud800', ',', '0', '\u0000', '\uFFFD', ']]'),
  })
  await fc.assert(
    fc.asyncProperty(bundle, damage, async (lines, { at, removed, put }) => {
      const text = bundleOf(...lines)
      const place = Math.floor(at * text.length)
      const before = recordsOf(await exported(admin))
      const answer = await importInto(admin, text.slice(0, place) + put + text.slice(place + removed))
      const after = recordsOf(await exported(admin))
      const { details = [] } = answer.error ?? {}
      const placed = details.filter((detail) => (detail.line ?? 0) > 0 && (detail.column ?? 0) > 0).length
      const refused = answer.status === 400 && placed > 0 && isDeepStrictEqual(after, before)
      expect([answer.status, answer.error?.error, refused]).toEqual(
        answer.status === 200 ? [200, undefined, false] : [400, 'IMPORT_ERROR', true],
      )
      expect(brokenInvariants(server)).toEqual([])
    }),
    { numRuns: 40 },
  )
})
