/** What is said in English elsewhere has its German words: whoever words something anew, or adds to it, finds it here. */
import { readFileSync } from 'node:fs'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { errorCodes } from '../../../src/contract/errors.ts'
import { type MessageCode, msg, texts } from '../../../src/contract/messages.ts'
import { runMessage, texts as runTexts } from '../../../src/contract/run-messages.ts'
import type { Operation } from '../../../src/contract/operation.ts'
import { operations } from '../../../src/contract/operations.ts'
import { createStepReport } from '../../../src/executor/engine/step-report.ts'
import { parseJob } from '../../../src/language/job/parse-job.ts'
import { type MessageCode as FindingCode, texts as findings } from '../../../src/language/messages.ts'
import { parseTask } from '../../../src/language/task/parse-task.ts'
import { galleryDashboards } from '../../../src/renderer/features/dashboard-templates/dashboard-gallery.ts'
import { galleryTemplates } from '../../../src/renderer/features/job-templates/template-gallery.ts'
import { galleryTasks } from '../../../src/renderer/features/tasks/gallery.ts'
import { catalog as german } from '../../../src/renderer/i18n/de/catalog/catalog.ts'
import { setLocale } from '../../../src/renderer/i18n/locale.ts'
import {
  translateChange,
  translateError,
  translateHint,
  translateKept,
  translateLabel,
  translateMessage,
  setCatalog,
} from '../../../src/renderer/i18n/translate.ts'
import { dateText } from '../../../src/renderer/ui/format.ts'
import { keptError, shownParams } from '../../../src/server/platform/kept-error.ts'
import { errorsIn } from '../../../src/server/platform/versioned-text.ts'
import { entityOf } from '../../../src/server/platform/http-audit.rules.ts'
import { dashboardCatalogue } from '../../language/fixtures/dashboard-catalogue.ts'
import { parseDashboard } from '../../../src/language/dashboard/parse-dashboard.ts'
import { dashboardFixtures, fixtures, jobFixtures } from '../../language/fixtures/fixtures.ts'
import { jobCatalogue } from '../../language/fixtures/job-catalogue.ts'
import { madeSentences } from './made-sentences.ts'

const partNames = (text: string) => [...text.matchAll(/<(\w+)(?::[^>]+)?>/g)].map(([, name = '']) => name)

const failed = (): never => {
  throw new Error('does not parse')
}

setCatalog(german)
afterAll(() => setCatalog(null))

test('galleries have German titles and descriptions', () => {
  const ids = [...galleryTasks(), ...galleryTemplates(), ...galleryDashboards()].map(({ id }) => id)
  expect(Object.keys(german.gallery).toSorted()).toEqual(ids.toSorted())
})

test('what the audit log records has its German name, what it does and what it was done to', () => {
  const recorded = Object.values<Operation>(operations).filter((op) => op.audited ?? op.method !== 'GET')
  const bySystem = ['restoredBackup', 'scheduledBackup', 'importBundleApplied', 'importBundleStopped']
  const ids = recorded.map(({ id }) => id)
  expect([...ids, ...bySystem].filter((id) => !german.operations[id]?.name)).toEqual([])
  expect(ids.filter((id) => !german.operations[id]?.summary)).toEqual([])
  expect(recorded.map((op) => entityOf(op).entity).filter((entity) => !german.entities[entity])).toEqual([])
})

test('labels of stages are rendered by their codes, with the words of the language and names as they are', () => {
  const tasks = galleryTasks().flatMap(({ yaml }) => parseTask(yaml).task ?? [])
  const steps = tasks.flatMap((task) => createStepReport(task).steps)
  expect(steps.length).toBeGreaterThan(20)
  expect(steps.filter((step) => german.findings[step.code as FindingCode] === undefined)).toEqual([])
  const [files, , orders] = createStepReport(
    parseTask(
      'etl: 1\nkind: pipeline\nname: a\nconnectors: {c: {type: file}, d: {type: sqlite, access: write}}\nsource: {connector: c, files: {glob: "*.jsonl"}}\nsteps: [{filter: "x > 1"}]\ntarget: {connector: d, table: orders, mode: append}\n',
    ).task ?? failed(),
  ).steps
  expect(files && [files.label, translateLabel(files)]).toEqual(['jsonl files *.jsonl', 'JSON-Lines-Dateien *.jsonl'])
  expect(orders && [orders.label, translateLabel(orders)]).toEqual(['append table orders', 'append in Tabelle orders'])
})

test('a label and a change of an older executor are shown as they came', () => {
  expect(translateLabel({ label: 'append table orders' })).toBe('append table orders')
  expect(translateChange({ change: 'rounded to real' })).toBe('rounded to real')
  const { message: change, ...coded } = runMessage('change_rounded', { type: 'real' })
  expect(translateChange({ ...coded, change })).toBe('gerundet auf real')
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

describe('diagnostics', () => {
  const found = [
    ...fixtures().flatMap(({ text }) => parseTask(text).diagnostics),
    ...jobFixtures().flatMap(({ text }) => parseJob(text, jobCatalogue).diagnostics),
    ...dashboardFixtures().flatMap(({ text }) => parseDashboard(text, dashboardCatalogue).diagnostics),
  ]

  test('are rendered by their codes, message and hint, with the names of the document as they are', () => {
    expect(found.length).toBeGreaterThan(300)
    const english = found.flatMap((one) => [
      ...(translateMessage(one) === one.message ? [one.message] : []),
      ...(translateHint(one) === one.hint ? [one.hint] : []),
    ])
    expect([...new Set(english)]).toEqual([])
    const left = found
      .flatMap((one) => [translateMessage(one), translateHint(one)])
      .filter((text) => /undefined|\[object/.test(text))
    expect(left).toEqual([])
    const { diagnostics } = parseTask('etl: 1\nkind: pipeline\nnane: a\n')
    const unknownKey = diagnostics.find(({ code }) => code === 'unknown_key')
    expect(unknownKey && [translateMessage(unknownKey), translateHint(unknownKey)]).toEqual([
      'Eine Pipeline kennt den Schlüssel `nane` nicht.',
      'War `name` gemeint?',
    ])
  })

  test('are rendered in English where a server knows more codes', () => {
    const newer = { code: 'new_code', params: { reason: 'new_reason' }, message: 'New.', hint: 'Do it.' }
    expect([translateMessage(newer), translateHint(newer)]).toEqual(['New.', 'Do it.'])
  })

  test('end with their hint within the detail of a refusal', () => {
    const [one] = errorsIn(parseTask('').diagnostics)
    expect(one?.message).toBe('The document is empty. Start with `etl: 1`.')
    expect(one && translateMessage(one)).toBe('Das Dokument ist leer. Beginnen Sie mit `etl: 1`.')
  })

  test('have the same parameters in both languages', () => {
    const names = (text: string) => [
      ...new Set([...text.matchAll(/<(\w+)(?::[^>]+)?>/g)].map(([, name = '']) => name.toLowerCase())),
    ]
    const codes = Object.keys(findings) as (keyof typeof findings)[] // of an object that is written out
    // German need not name a thing that the place of the sentence shows.
    const wrong = codes.filter((code) =>
      names(german.findings[code]).some((name) => !names(findings[code]).includes(name)),
    )
    expect(wrong).toEqual([])
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
    expect(Object.keys(errorCodes).filter((code) => !scripts.has(code) && !german.errors[code])).toEqual([])
  })

  test('every message that a window may show has its German words, with the same parameters', () => {
    // To executors and scripts, about the request as such
    const unseen = new Set(
      'send_utf8 send_types host_listed_twice hosts_differ method_not_taken not_http too_many_connections executor_key_wrong origin_missing none_match_not_star idempotency_key_invalid idempotency_key_reused percent_encoding cursor_invalid not_utf8 key_not_allowed type_unknown caller_gone call_not_awaited other_protocol protocol_is register_again attempt_stale batch_missing batch_expected ids_invalid result_not_wanted chunk_unreadable'.split(
        ' ',
      ),
    )
    const codes = Object.keys(texts) as MessageCode[] // of an object that is written out
    expect(codes.filter((code) => german.messages[code] === undefined && !unseen.has(code))).toEqual([])
    const names = (text = '') =>
      [...new Set(partNames(text.replaceAll(/<\w/g, (start) => start.toLowerCase())))].toSorted().join()
    expect(
      codes.filter((code) => german.messages[code] && names(german.messages[code]) !== names(texts[code])),
    ).toEqual([])
  })

  test('a message is said by its code, with its states and reasons in German and its names as they are', () => {
    expect(translateMessage(msg('run_ended', { id: 7, status: 'failed' }))).toBe(
      'Lauf #7 hat schon geendet: fehlgeschlagen.',
    )
    expect(translateMessage(msg('task_archived', { name: 'failed' }))).toContain('Die Aufgabe „failed“ ist')
    expect(translateMessage(msg('job_not_started', { reason: msg('job_archived', { name: 'a' }) }))).toBe(
      'Der Job ließ sich nicht starten: Der Job „a“ ist archiviert: Stellen Sie ihn zum Ausführen wieder her.',
    )
    expect(translateMessage({ code: 'of_a_newer_server', params: {}, message: 'Something new.' })).toBe(
      'Something new.',
    )
  })

  test('no sentence is made outside of the catalogs that a window shows', () => {
    const unseen = new Set([
      'The trigger is disabled, so it will not fire at this time. Send `enabled: true` to enable it.',
      // In a message to a channel
      'Notifications about job runs look like this.',
      'So sehen Benachrichtigungen über Job-Läufe aus.',
      // On the command line
      'The store is of another version. Start and end this version of the server once, then rebuild.',
    ])
    const sql = /^(SELECT|INSERT|UPDATE|DELETE|ORDER BY|VACUUM)|\b(WHERE|AND) \w+(\.\w+)* [=<>]/
    // What Prometheus, models, and agents read is English.
    const made = madeSentences(
      'server/features',
      (name) =>
        !/\.store\.ts$|prometheus[-\w]*\.ts$|prompt\.rules\.ts$|operation-examples\.ts$|mcp[-.\w]*\.ts$/.test(name),
    )
    expect([...made].filter((text) => !unseen.has(text) && !sql.test(text))).toEqual([])
  })
})

describe('errors of runs', () => {
  const said = (kept: { message: string; params: string | null }) =>
    translateError({ error_message: kept.message, error_params: shownParams(kept.params) })
  // Other files share this process.
  afterEach(() => setLocale('en'))

  test('are rendered by their codes, with what to do about them, and numbers as the language writes them', () => {
    setLocale('de-DE')
    expect(
      said(keptError(runMessage('too_many_pages', { most: 10_000, what: 'GET /a' }), runMessage('too_many_pages_fix'))),
    ).toBe(
      'Es gibt mehr Seiten als die 10.000, die `max_pages` erlaubt (GET /a). Erhöhen Sie `max_pages`, oder fordern Sie weniger an. Nichts wurde geschrieben.',
    )
    const within = runMessage('at_line', {
      file: 'a.csv',
      line: 2000,
      cause: runMessage('value_of_other_type', { column: 'failed', value: 'x', type: 'integer' }),
    })
    expect(said(keptError(within))).toBe(
      'a.csv, Zeile 2000: Die Spalte `failed` enthält „x“, was kein Wert vom Typ integer ist',
    )
  })

  test('are shown in English where an older record has nothing else', () => {
    expect(translateError({ error_message: 'A wire broke.', error_params: null })).toBe('A wire broke.')
    expect(translateError({ error_message: null, error_params: null })).toBeNull()
  })

  test('have the same parameters in both languages', () => {
    const names = (text: string) =>
      [...new Set([...text.matchAll(/<(\w+)(?::[^>]+)?>/g)].map(([, name = '']) => name.toLowerCase()))]
        .toSorted()
        .join()
    const codes = Object.keys(runTexts) as (keyof typeof runTexts)[] // of an object that is written out
    expect(codes.length).toBeGreaterThan(800)
    expect(codes.filter((code) => names(german.findings[code]) !== names(runTexts[code]))).toEqual([])
  })
})

test('times in the text of a violated deadline are those of the reader; others are data', () => {
  setCatalog(null)
  const at = '2026-11-28T21:05:00.000Z'
  const shown = dateText(new Date(at), 'momentInZone')
  const kept = (reason: string) => translateKept(`Last written ${at}, due ${at}`, { reason, at, due: at })
  expect(kept('metric_overdue')).toBe(`Last written ${shown}, due ${shown}`)
  expect(kept('row_refused')).toContain(at)
})
