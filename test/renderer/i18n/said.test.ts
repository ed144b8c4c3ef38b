/** What is said in English elsewhere has its German words: whoever words something anew, or adds to it, finds it here. */
import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { errorCodes } from '../../../src/contract/errors.ts'
import { type MessageCode, msg, texts } from '../../../src/contract/messages.ts'
import type { Operation } from '../../../src/contract/operation.ts'
import { operations } from '../../../src/contract/operations.ts'
import { changes } from '../../../src/executor/engine/changes.ts'
import { createStepReport } from '../../../src/executor/engine/step-report.ts'
import type { Diagnostic } from '../../../src/language/diagnostics.ts'
import { functions } from '../../../src/language/expressions/functions.ts'
import { jobSchema } from '../../../src/language/job/job-schema.ts'
import { kindDefinitions } from '../../../src/language/task/kinds/kind-registry.ts'
import { parseTask } from '../../../src/language/task/parse-task.ts'
import { runScope, taskScope } from '../../../src/language/task/task-scope.ts'
import { taskSchema } from '../../../src/language/task/task-schema.ts'
import { wordsOf } from '../../../src/renderer/features/audit/audit-filters.ts'
import { galleryTemplates } from '../../../src/renderer/features/job-templates/template-gallery.ts'
import { planOf } from '../../../src/renderer/features/runs/step-plan.ts'
import { galleryTasks } from '../../../src/renderer/features/tasks/gallery.ts'
import { said as german } from '../../../src/renderer/i18n/de/said/said.ts'
import { partNames, phraseBook } from '../../../src/renderer/i18n/phrases.ts'
import { labelSaid, messageSaid, setSaid } from '../../../src/renderer/i18n/said.ts'
import { entityOf } from '../../../src/server/platform/http-audit.rules.ts'
import { expectationOf, fixtures, jobFixtures } from '../../language/fixtures/fixtures.ts'
import { madeSentences } from './made-sentences.ts'

const say = phraseBook(german.sentences, german.fragments)
const untold = (sentences: Iterable<string>) => [...new Set(sentences)].filter((text) => say(text) === undefined)

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) yield* textsIn(part)
}

setSaid(german)
afterAll(() => setSaid(null))

test('an English phrase and its German one have the same parts', () => {
  const phrases = { ...german.texts, ...german.sentences, ...german.fragments, ...german.labels }
  const names = (phrase: string) => [...new Set(partNames(phrase))].toSorted().join()
  // Of a thing that English names twice, German may say it once.
  const wrong = Object.entries(phrases).filter(([source, target]) =>
    partNames(target).some((name) => !names(source).split(',').includes(name)),
  )
  expect(wrong).toEqual([])
})

test('galleries have German titles and descriptions', () => {
  const texts = [...galleryTasks(), ...galleryTemplates()].flatMap(({ title, description }) => [title, description])
  expect(texts.filter((text) => german.texts[text] === undefined)).toEqual([])
})

test('what the audit log records has its German name, what it does and what it was done to', () => {
  const recorded = Object.values<Operation>(operations).filter((op) => op.audited ?? op.method !== 'GET')
  const bySystem = ['restoredBackup', 'scheduledBackup', 'importBundleApplied', 'importBundleStopped']
  const texts = [
    ...recorded.flatMap((op) => [wordsOf(op.id), op.summary, entityOf(op).entity.replaceAll('_', ' ')]),
    ...bySystem.map(wordsOf),
  ]
  // `progres`, which is no noun of anything a person would look for.
  expect(texts.filter((text) => text !== 'progres' && german.texts[text] === undefined)).toEqual([])
})

test('labels of steps are German but for the words of the language', () => {
  const tasks = galleryTasks().flatMap(({ yaml }) => parseTask(yaml).task ?? [])
  const labels = tasks.flatMap((task) => [...planOf(task), ...createStepReport(task).steps].map(({ label }) => label))
  const same = [...new Set(labels)].filter((label) => labelSaid(label) === label)
  const ownWords =
    /^(select|drop|rename|cast|filter|derive|sql|expect|map|flatten|explode|dedupe|lookup|GET|POST|PUT|PATCH|DELETE)\b/
  const statement = /^(CREATE|INSERT|DELETE|UPDATE|DROP)\b/
  expect(same.filter((label) => !ownWords.test(label) && !statement.test(label))).toEqual([])
})

test('what happens to values that arrive differently is said in German', () => {
  const all = Object.values(changes).map((change) => (typeof change === 'string' ? change : change('7', '8')))
  expect(all.filter((change) => labelSaid(change) === change)).toEqual([])
})

test('the code editor says everything in German', () => {
  // The merge view's buttons are the window's own; nothing is accepted or rejected chunk by chunk.
  const unused = new Set(['Accept', 'Reject', 'Revert this chunk'])
  const packages = ['autocomplete', 'commands', 'language', 'lint', 'merge', 'search', 'view']
  const code = packages.map((name) => readFileSync(`node_modules/@codemirror/${name}/dist/index.js`, 'utf8')).join('\n')
  const phrases = [...code.matchAll(/\bphrase\((?:\w+, )?"([^"]+)"/g)].flatMap(([, phrase = '']) => phrase)
  expect(phrases.length).toBeGreaterThan(25)
  expect(phrases.filter((phrase) => !unused.has(phrase) && german.editor[phrase] === undefined)).toEqual([])
})

describe('findings', () => {
  test('all that the fixtures of the languages find is said in German', () => {
    const found = [...fixtures(), ...jobFixtures()].flatMap((one): readonly Diagnostic[] => {
      // As `observe` writes them.
      const expected = expectationOf(one) as Diagnostic[] | { diagnostics: Diagnostic[] }
      return Array.isArray(expected) ? expected : expected.diagnostics
    })
    expect(found.length).toBeGreaterThan(300)
    expect(untold(found.flatMap(({ message, hint }) => (hint === undefined ? [message] : [message, hint])))).toEqual([])
  })

  test('every sentence of the languages that is no documentation is said in German', () => {
    const documented = [taskSchema, jobSchema, [...functions.values()], runScope, taskScope({}), kindDefinitions]
    const documentation = [...textsIn(documented)].join('\n')
    // Names of scopes that only exist within a hook, an item or a state.
    const named = new Set([
      'Parameter of type 7.',
      'Argument of type 7.',
      'The current item.',
      'Its position in the list, from 0.',
      'Stable code, e.g. `CONSTRAINT_VIOLATED`.',
      'What happened and where.',
      'Key of the step that failed, or null.',
      'Where reading starts: the greatest value so far minus `lag`, or `initial`, or null.',
      // Two sentences that were made before.
      '7 And 7 more.',
    ])
    const made = madeSentences('language', (name) => !/^(complete|hover|editor)/.test(name))
    expect(made.size).toBeGreaterThan(400)
    expect(untold([...made].filter((text) => !documentation.includes(text) && !named.has(text)))).toEqual([])
  })
})

describe('refusals', () => {
  test('the message of each code is said in German', () => {
    // What only a script can do wrong.
    const scripts = new Set([
      'METHOD_NOT_ALLOWED',
      'UNSUPPORTED_MEDIA_TYPE',
      'MISDIRECTED_REQUEST',
      'AI_NOT_CONFIGURED',
    ])
    const codes = Object.entries(errorCodes).filter(([code]) => !scripts.has(code))
    expect(untold(codes.map(([, { message }]) => message))).toEqual([])
  })

  test('every message that a window may show has its German words, with the same parameters', () => {
    // To executors and scripts, about the request as such
    const unseen = new Set(
      'send_utf8 send_types host_listed_twice hosts_differ method_not_taken not_http too_many_connections executor_key_wrong origin_missing none_match_not_star idempotency_key_invalid idempotency_key_reused percent_encoding cursor_invalid not_utf8 key_not_allowed type_unknown caller_gone call_not_awaited other_protocol protocol_is register_again attempt_stale batch_missing batch_expected ids_invalid'.split(
        ' ',
      ),
    )
    const codes = Object.keys(texts) as MessageCode[] // of an object that is written out
    expect(codes.filter((code) => german.messages[code] === undefined && !unseen.has(code))).toEqual([])
    const names = (text = '') => [...new Set(partNames(text))].toSorted().join()
    expect(
      codes.filter((code) => german.messages[code] && names(german.messages[code]) !== names(texts[code])),
    ).toEqual([])
  })

  test('a message is said by its code, with its states and reasons in German and its names as they are', () => {
    expect(messageSaid(msg('run_ended', { id: 7, status: 'failed' }))).toBe('Lauf 7 hat schon geendet: fehlgeschlagen.')
    expect(messageSaid(msg('task_archived', { name: 'failed' }))).toContain('Die Aufgabe failed ist')
    expect(messageSaid(msg('job_not_started', { reason: msg('job_archived', { name: 'a' }) }))).toBe(
      'Der Job ließ sich nicht starten: Der Job a ist archiviert: zum Ausführen aus dem Archiv holen.',
    )
    expect(messageSaid({ code: 'of_a_newer_server', params: {}, message: 'Something new.' })).toBe('Something new.')
  })

  test('what was written down with a record is said in German by its sentence', () => {
    expect(say(msg('job_archived', { name: 'My job' }).message)).toContain('Der Job My job ist archiviert')
    expect(say(msg('connector_archived', { name: 'a' }).message)).toContain('archiviert')
  })

  test('every other sentence that the server says to a window is said in German', () => {
    const unseen = new Set([
      'The trigger is disabled, so it will not fire at this time. Send `enabled: true` to enable it.',
      // In a message to a channel
      'News of job runs are shown like this.',
      // Made of two that are said
      '7: 7.',
    ])
    const sql = /^(SELECT|INSERT|UPDATE|DELETE|ORDER BY|VACUUM)|\b(WHERE|AND) \w+(\.\w+)* [=<>]/
    const made = madeSentences('server/features', (name) => !name.endsWith('.store.ts'))
    expect(untold([...made].filter((text) => !unseen.has(text) && !sql.test(text)))).toEqual([])
  })
})
