import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { buildIndex, findSections, markTerms, openIndex } from '../../src/renderer/features/docs/docs-search.ts'
import { readLibrary, searchable } from '../../tools/docs/library.ts'

const pages = readLibrary(resolve('.')).pages.filter(({ inApp }) => inApp)
const index = openIndex(buildIndex(searchable(pages)))
const ids = (query: string) =>
  findSections(index, query, 3).map(({ slug, anchor }) => (anchor ? `${slug}#${anchor}` : slug))

describe('questions that people ask are answered among the first three', () => {
  test.each([
    ['how do I install headgate', 'install'],
    ['schedule a job', 'triggers'],
    ['cron', 'triggers'],
    ['AUTH_ERROR', 'troubleshooting#auth_error'],
    ['unknown_column', 'diagnostics#unknown_column'],
    ['TABLE_NOT_FOUND', 'run-errors#table_not_found'],
    ['reverse proxy', 'executors#behind-a-reverse-proxy'],
    ['restore a backup', 'backups'],
    ['lost authenticator app', 'sign-in#two-factor-authentication'],
    ['api key', 'users#api-keys'],
    ['postgres rights', 'connectors#postgresql'],
    ['read only new rows', 'tasks#read-only-new-rows'],
    ['webhook signature', 'notifications#verify-the-signature'],
    ['rerun from failed task', 'jobs#pause-resume-cancel-rerun'],
    ['config.yaml settings', 'operations#settings'],
    ['python script', 'scripts#python'],
    ['keyboard shortcuts', 'keyboard'],
    ['start at login', 'desktop#start-at-login'],
    ['missed runs', 'triggers#missed-runs'],
    ['import bundle', 'exchange'],
    ['disk full', 'operations#when-the-disk-is-full'],
    ['executor key', 'executors'],
    ['what is a gate', 'job-language#gate'],
    ['quarantine', 'tasks#reject-rows'],
  ])('%s', (question, wanted) => {
    expect(ids(question).filter((id) => id === wanted || id.startsWith(`${wanted}#`))).not.toEqual([])
  })
})

test('a word with a mistake is found all the same', () => {
  expect(ids('notificatons channel')).toContainEqual(expect.stringMatching(/^notifications/))
})

test('a word that is found leads to no others that are like it, nor to parts of it', () => {
  const found = findSections(index, 'incremental', 30).flatMap(({ marked, excerpt }) => [...marked, ...excerpt])
  expect(found.filter(({ hit }) => hit).map(({ text }) => text.toLowerCase())).toEqual(
    found.filter(({ hit }) => hit).map(() => 'incremental'),
  )
})

test('nothing is found for nothing, and for what is nowhere', () => {
  expect(findSections(index, '')).toEqual([])
  expect(findSections(index, 'qqqzzzxxx')).toEqual([])
})

test('what was looked for is marked where words begin with it, whatever signs it has', () => {
  expect(markTerms('Triggers fire; retrigger (a+b)', ['trigger', '(a+b)'])).toEqual([
    { text: 'Triggers', hit: true },
    { text: ' fire; retrigger ', hit: false },
    { text: '(a+b)', hit: true },
  ])
})

test('the excerpt shows the place that was found', () => {
  const [hit] = findSections(index, 'proxy_read_timeout')
  expect(hit?.excerpt.some(({ text, hit: found }) => found && text.startsWith('proxy_read_timeout'))).toBe(true)
})

test('a page that is looked for by other words is found at its beginning, not at each of its headings', () => {
  const hits = findSections(index, 'incremental', 30)
  expect(hits[0]).toMatchObject({ slug: 'tasks', anchor: 'read-only-new-rows' })
  expect(hits[1]).toMatchObject({ slug: 'command-line', marked: [{ text: 'Incremental', hit: true }, { hit: false }] })
  const silent = hits.filter(({ anchor, marked, excerpt }) => anchor && ![...marked, ...excerpt].some(({ hit }) => hit))
  expect(silent).toEqual([])
})

test('each result shows what was looked for, or how its section begins', () => {
  const headed = findSections(index, 'incremental').find(({ slug }) => slug === 'command-line')
  expect(headed?.excerpt.slice(0, 2)).toMatchObject([
    { text: '--state FILE', hit: false, code: true },
    { text: expect.stringMatching(/^ saves how far/), hit: false },
  ])
  const [page] = findSections(index, 'users roles')
  expect(page).toMatchObject({ slug: 'users', anchor: '' })
  const silent = ['incremental', 'users', 'files', 'diagnostics', 'schedule a job']
    .flatMap((query) => findSections(index, query, 30))
    .filter(({ excerpt }) => excerpt.length === 0)
  expect(silent).toEqual([])
})

test('a page that only other words lead to stands back where its sections say them, else shows how it begins', () => {
  const pageOf = (query: string, wanted: string) =>
    findSections(index, query, 30).find(({ slug, anchor }) => slug === wanted && anchor === '')
  expect(pageOf('incremental', 'tasks')).toBeUndefined()
  expect(pageOf('beginner', 'first-hour')?.excerpt).toMatchObject([
    { text: expect.stringMatching(/^\p{Lu}.{40,}[.…]$/u), hit: false },
  ])
})

const text = (query: string, id: string) =>
  findSections(index, query, 30)
    .find(({ slug, anchor }) => `${slug}#${anchor}` === id)
    ?.excerpt.map((part) => part.text)
    .join('')

test('an excerpt begins with the sentence of the hit, or at the hit, and keeps cells of a table apart', () => {
  expect(text('auto_increment', 'types#between-tables-in-the-same-kind-of-database')).toMatch(
    /^… Defaults, `?auto_increment.* · /,
  )
  expect(text('interrupted', 'command-line#output')).toMatch(/^… Interrupted/)
})

test('an excerpt is of the explanation, not of the example below it', () => {
  const hit = findSections(index, 'read only new rows').find(({ anchor }) => anchor === 'read-only-new-rows')
  expect(hit?.excerpt.map(({ text }) => text).join('')).not.toContain('kind: pipeline')
})
