import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { hold } from '../../../src/server/platform/config.hold.ts'
import {
  exampleDashboardTemplate,
  exampleJobTemplate,
  exampleTask,
} from '../../../src/server/features/ai/languages.rules.ts'
import { parseDashboard } from '../../../src/language/dashboard/parse-dashboard.ts'
import { parseJob } from '../../../src/language/job/parse-job.ts'
import { holdBack } from '../../../src/server/features/ai/held-back.rules.ts'
import { parseTask } from '../../../src/language/task/parse-task.ts'
import { eventsOf, fencedYaml as fenced, lastOf as last } from '../../support/ai-events.ts'
import { type Reply, type FakeAi, openaiDelta, startFakeAi } from '../../support/fake-ai.ts'
import { type TestClient, type TestServer, startTestServer } from '../../support/server.ts'

const key = 'sk-canary-of-the-provider-0123456789'
const password = 'canary-of-the-connector'
let server: TestServer
let editor: TestClient
let fake: FakeAi
let connector = 0
const logged: string[] = []

beforeAll(async () => {
  fake = await startFakeAi()
  server = await startTestServer({ onLog: (line) => logged.push(line) })
  editor = server.as('editor')
  const config = { host: 'db.example', port: 5432, database: 'shop', user: 'etl' }
  const body = { name: 'Shop DB', type: 'postgres', config, secrets: { password } }
  connector = ((await server.as('admin').post('/api/connectors', body)).body as { id: number }).id
})
afterAll(async () => {
  await server.close()
  await fake.close()
})
beforeEach(() => {
  const { config } = server.platform
  hold(config, 'ai.provider', 'compatible')
  hold(config, 'ai.base_url', fake.url)
  hold(config, 'ai.model', 'model-1')
  hold(config, 'ai.api_key', key)
  hold(config, 'ai.daily_tokens', 0)
})
afterEach(() => expect(logged.join('\n')).not.toContain('canary'))

const good = `etl: 1
kind: pipeline
name: one
connectors: {shop_db: {type: postgres, access: read_write}}
source: {inline: {rows: [{id: 1}]}}
target: {connector: shop_db, table: t, mode: append}
`
const bad = good.replace('mode: append', 'mode: appendd')
const worse = good.replace('kind: pipeline', 'kind: pipelin')

const generate = (body: object = {}) =>
  eventsOf(editor, 'generate-task', { prompt: 'Load it', connector_ids: [connector], ...body })
async function failure(reply: Reply): Promise<string | undefined> {
  fake.reply(reply)
  return last(await generate(), 'error')?.code
}
const code = (body: unknown) => (body as { error: string; code?: string }).error
const day = () => server.platform.store.sqlite

test('the examples that the model is shown are valid', () => {
  expect(parseTask(exampleTask).diagnostics).toEqual([])
  expect(parseJob(exampleJobTemplate).diagnostics).toEqual([])
  expect(parseDashboard(exampleDashboardTemplate).diagnostics).toEqual([])
})

test('a valid answer becomes a proposal with the connector of its slot, and nothing is saved', async () => {
  fake.reply({ text: fenced(good) })
  const events = await generate()
  expect(events.filter(({ event }) => event === 'delta').length).toBeGreaterThan(1)
  expect(last(events, 'proposal')).toMatchObject({
    yaml_content: good,
    valid: true,
    attempts: 1,
    connector_mapping: { shop_db: connector },
  })
  expect(last(events, 'usage')).toEqual({ event: 'usage', input_tokens: 100, output_tokens: 20, estimated: false })
  expect(day().prepare('SELECT count(*) FROM tasks').pluck().get()).toBe(0)
})

test('the wire of Anthropic is spoken with its own headers', async () => {
  hold(server.platform.config, 'ai.provider', 'anthropic')
  fake.reply({ text: fenced(good), piece: 1 })
  expect(last(await generate(), 'proposal')).toMatchObject({ yaml_content: good, valid: true })
  expect(fake.asked[0]).toMatchObject({ path: '/v1/messages', headers: { 'x-api-key': key } })
  expect(fake.asked[0]?.headers).not.toHaveProperty('authorization')
})

test('findings are sent back at most twice, and the draft stays honest', async () => {
  fake.reply({ text: fenced(bad) }, { text: fenced(worse) }, { text: fenced(good) })
  expect(last(await generate(), 'proposal')).toMatchObject({ valid: true, attempts: 3, yaml_content: good })
  const third = JSON.parse(fake.asked[2]?.body ?? '') as { messages: { role: string; content: string }[] }
  expect(third.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
  expect(third.messages[3]?.content).toContain('"code"')
  fake.reply({ text: fenced(bad) }, { text: fenced(worse) }, { text: fenced(good.replace('etl: 1', 'etl: 2')) })
  expect(last(await generate(), 'proposal')).toMatchObject({ valid: false, attempts: 3 })
  expect(fake.asked).toHaveLength(3)
})

test('findings that repeat end the loop', async () => {
  fake.reply({ text: fenced(bad) })
  const events = await generate()
  expect(last(events, 'proposal')).toMatchObject({ valid: false, attempts: 2, yaml_content: bad })
  fake.reply({ text: fenced(bad) }, { text: fenced(worse) }, { text: fenced(bad) })
  expect(last(await generate(), 'proposal')).toMatchObject({ valid: false, attempts: 3 })
})

test('thoughts are left out, two tasks are refused, and no task is said to be none', async () => {
  fake.reply({ text: `<think>\n${fenced(bad)}</think>${fenced(good)}` })
  expect(last(await generate(), 'proposal')).toMatchObject({ valid: true, yaml_content: good })
  fake.reply({ text: fenced(good) + fenced(good.replace('one', 'two')) })
  expect(last(await generate(), 'proposal')?.findings[0]?.code).toBe('ai_many_drafts')
  fake.reply({ text: 'I can’t help with that.' })
  expect(last(await generate(), 'proposal')).toMatchObject({
    valid: false,
    yaml_content: '',
    findings: [{ code: 'ai_no_draft' }],
  })
  fake.reply({ text: good })
  expect(last(await generate(), 'proposal')).toMatchObject({ valid: true, yaml_content: good })
})

test('slots that nobody chose, commands, and hooks are findings unless they were asked for', async () => {
  const other = good.replaceAll('shop_db', 'other')
  const command = 'etl: 1\nkind: command\nname: c\ncommand: {argv: [rm]}\n'
  const hook = `${good}hooks: {after: [{sql: {connector: shop_db, statement: "DELETE FROM t"}}]}\n`
  for (const [yaml, found] of [
    [other, 'ai_slot_unknown'],
    [good.replace('type: postgres', 'type: sqlite'), 'ai_slot_type'],
    [command, 'ai_not_asked'],
  ] as const) {
    fake.reply({ text: fenced(yaml) })
    // One after the other: there is one provider.
    const events = await generate()
    expect(last(events, 'proposal')?.findings.map((one) => one.code)).toContain(found)
    expect(last(events, 'proposal')?.valid).toBe(false)
  }
  fake.reply({ text: fenced(command) })
  expect(last(await generate({ prompt: 'Run a command' }), 'proposal')).toMatchObject({ valid: true })
  fake.reply({ text: fenced(hook) })
  expect(last(await generate(), 'proposal')?.valid).toBe(false)
})

test('only the part that was asked for changes, and the rest stays letter for letter', async () => {
  const base_yaml = `# Ours\n${good}steps:\n  # the living\n  - filter: "id > 0" # all\n  - derive: {n: "1"}\n`
  const answer = (steps: string) => fenced(`${good}steps: ${steps}\n`)
  const asked = { base_yaml, part: 'steps[1]', prompt: 'Two' }
  fake.reply({ text: answer('[{filter: "id > 0"}, {derive: {n: "2"}}]') })
  expect(last(await generate(asked), 'proposal')).toMatchObject({
    yaml_content: base_yaml.replace('derive: {n: "1"}', '{derive: {n: "2"}}'),
    valid: true,
    attempts: 1,
  })
  expect(fake.asked[0]?.body).toContain('\\"part\\": \\"steps[1]\\"')
  fake.reply({ text: answer('[{filter: "id > 1"}, {derive: {n: "2"}}]') })
  expect(last(await generate(asked), 'proposal')).toMatchObject({
    valid: false,
    findings: [{ code: 'ai_outside_part', params: { part: 'steps[1]' }, path: 'steps[1]' }],
  })
  fake.reply({ text: fenced(`${good}description: Loads it\n`) })
  expect(last(await generate({ base_yaml: good, part: 'description', prompt: 'Describe' }), 'proposal')).toMatchObject({
    yaml_content: `${good}description: Loads it\n`,
    valid: true,
  })
  for (const [body, found] of [
    [{ part: 'steps[0]' }, 'ai_part_without_text'],
    [{ part: 'steps[0]', base_yaml: good }, 'ai_part_unknown'],
    [{ part: 'a b', base_yaml: good }, 'ai_part_unknown'],
  ] as const) {
    const refused = await editor.post('/api/ai/generate-task/preview', { prompt: 'x', ...body })
    expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'body.part', code: found }] } })
  }
})

test('an alias bomb is a finding like others', async () => {
  const levels = Array.from(
    { length: 12 },
    (_, at) => `a${at}: &a${at} [${Array.from({ length: 9 }, () => (at ? `*a${at - 1}` : 'x')).join(', ')}]`,
  )
  fake.reply({ text: fenced(`etl: 1\n${levels.join('\n')}\n`) })
  expect(last(await generate(), 'proposal')?.valid).toBe(false)
})

test.each<[string, Reply, string]>([
  ['a broken stream', { breakAfter: 'etl: 1' }, 'ai_answer_cut'],
  ['a stream without an end', { bytes: [openaiDelta('etl')] }, 'ai_answer_cut'],
  ['a character that is cut', { bytes: [openaiDelta('ä').slice(0, -1), Buffer.from([0xc3])] }, 'ai_answer_not_utf8'],
  ['an endless stream', { endless: true }, 'ai_answer_too_large'],
  ['50 MB in one event', { bytes: [`data: ${'x'.repeat(50_000_000)}`] }, 'ai_answer_too_large'],
  ['a web page', { bytes: ['<html>'], type: 'text/html; charset=utf-8' }, 'ai_answer_html'],
  ['no stream', { bytes: ['{}'], type: 'application/json' }, 'ai_answer_not_stream'],
  ['an answer that was too long', { text: 'etl', finish: 'length' }, 'ai_answer_too_long'],
  ['invalid JSON', { bytes: ['data: {"a\n\n'] }, 'ai_provider_failed'],
  [
    'an error that repeats the key',
    { bytes: [`data: {"error":{"code":"bad ${key}","message":"${key}"}}\n\n`] },
    'ai_provider_failed',
  ],
  ['a refused key', { status: 401, body: `wrong key ${key}` }, 'ai_key_refused'],
  ['a redirect', { status: 302, headers: { location: 'http://169.254.169.254/' } }, 'ai_redirect'],
  ['an unknown model', { status: 404 }, 'ai_model_unknown'],
  ['a failure', { status: 500, body: key }, 'ai_status'],
  ['a busy provider', { status: 429, headers: { 'retry-after': '3600' } }, 'ai_busy_for'],
])('%s is told by its code', async (_, reply, expected) => {
  expect(await failure(reply)).toBe(expected)
})

test('a busy provider is asked again after the time that it names', async () => {
  fake.reply({ status: 429, headers: { 'retry-after': '0' } }, { text: fenced(good) })
  expect(last(await generate(), 'proposal')?.valid).toBe(true)
  expect(fake.asked).toHaveLength(2)
})

test('addresses are refused unless the base URL says them', async () => {
  const { config } = server.platform
  hold(config, 'ai.base_url', 'http://169.254.169.254/v1')
  expect(last(await generate(), 'error')?.code).toBe('ai_address_refused')
  hold(config, 'ai.base_url', 'http://api.example.com/v1')
  expect(last(await generate(), 'error')?.code).toBe('ai_needs_tls')
  hold(config, 'ai.base_url', 'http://127.0.0.1:9')
  expect(last(await generate(), 'error')).toMatchObject({ code: 'ai_unreachable', params: { code: 'ECONNREFUSED' } })
})

test('what is missing is named; references work without', async () => {
  const { config } = server.platform
  hold(config, 'ai.api_key', null)
  for (const path of ['generate-task', 'generate-task/preview']) {
    const answer = await editor.post(`/api/ai/${path}`, { prompt: 'x' })
    expect([answer.status, code(answer.body)]).toEqual([400, 'AI_NOT_CONFIGURED'])
  }
  expect((await editor.get('/api/ai/references')).status).toBe(200)
  expect((await editor.get('/api/ai/usage')).body).toMatchObject({ configured: false })
  hold(config, 'ai.api_key', key)
  hold(config, 'ai.model', null)
  expect((await editor.post('/api/ai/generate-task', { prompt: 'x' })).body).toMatchObject({ code: 'ai_model_missing' })
})

test('a prompt of blanks is refused before anything is sent', async () => {
  fake.reply()
  for (const path of ['generate-task', 'generate-task/preview', 'generate-job-template']) {
    const answer = await editor.post(`/api/ai/${path}`, { prompt: ' \n\t' })
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path: 'body.prompt', code: 'field_empty' }] } })
  }
  expect(fake.asked).toHaveLength(0)
})

test('what is shown is byte for byte what is sent, and what has changed is not sent', async () => {
  const body = { prompt: 'Load the orders', connector_ids: [connector], base_yaml: good }
  fake.reply()
  const shown = (await editor.post('/api/ai/generate-task/preview', body)).body as {
    url: string
    body: string
    digest: string
  }
  expect(fake.asked).toHaveLength(0)
  fake.reply({ text: fenced(good) })
  await generate({ ...body, expected_digest: shown.digest })
  expect(fake.asked[0]?.body).toBe(shown.body)
  expect(shown.url).toBe(`${fake.url}${fake.asked[0]?.path}`)
  fake.reply({ text: fenced(good) })
  const refused = await editor.post('/api/ai/generate-task', {
    ...body,
    prompt: 'Other',
    expected_digest: shown.digest,
  })
  expect([refused.status, code(refused.body)]).toEqual([409, 'CONFLICT'])
  expect(fake.asked).toHaveLength(0)
})

test('secrets leave in no writing, and come back to where they were in the text', async () => {
  const hex = Buffer.from(password).toString('hex')
  const base64 = Buffer.from(password).toString('base64')
  const base_yaml = `# token: ghp_0123456789abcdefghij\n${good}`
  const reference = await editor.post('/api/ai/references', {
    title: `Hosts`,
    kind: 'text',
    content: `postgres://etl:${password}@db/shop and ${hex} and ${base64} and AKIAIOSFODNN7EXAMPLE`,
  })
  const { id } = reference.body as { id: number }
  fake.reply({ text: fenced('# token: [secret 1]\n' + bad) }, { text: fenced('# token: [secret 1]\n' + good) })
  const prompt = `Use the key ${key} and ${encodeURIComponent(password)}`
  const events = await generate({ prompt, base_yaml, reference_ids: [id] })
  expect(fake.asked).toHaveLength(2)
  for (const { body } of fake.asked)
    for (const secret of [password, hex, base64, key, 'ghp_0123456789abcdefghij', 'AKIAIOSFODNN7EXAMPLE'])
      expect(body).not.toContain(secret)
  expect(last(events, 'proposal')?.references).toMatchObject([{ reference_id: id }])
  const audit = JSON.stringify(day().prepare('SELECT * FROM audit_records').all())
  for (const secret of [password, key, 'Load it', 'Use the key']) expect(audit).not.toContain(secret)
  await editor.delete(`/api/ai/references/${id}`)
})

test.each([
  ['in base64 with what is around it', (secret: string) => Buffer.from(`etl:${secret}`).toString('base64')],
  ['in base64 with more around it', (secret: string) => Buffer.from(`me:${secret}!`).toString('base64url')],
  ['backwards', (secret: string) => [...secret].toReversed().join('')],
  ['in UTF-16', (secret: string) => [...secret].join('\0')],
  [
    'in a URL in small letters',
    (secret: string) => encodeURIComponent(secret).replaceAll(/%../g, (code) => code.toLowerCase()),
  ],
])('a secret is found %s', (_, write) => {
  const held = holdBack(['pass/ö word+1'])
  const written = `before ${write('pass/ö word+1')} after`
  const hidden = held.hide(written)
  expect(hidden).toMatch(/^before \w*\[secret 1\]\S* after$/)
  expect(hidden.replace(/before |\[secret 1\]| after/g, '').length).toBeLessThan(12)
  expect(held.restore(hidden)).toBe(written)
})

test.each([
  ['DB_PASSWORD=hunter22', 'DB_PASSWORD=[secret 1]'],
  ['aws_secret_access_key = "wJalrXUtnFEMI/K7"', 'aws_secret_access_key = "[secret 1]"'],
  ['Passwort: geheim99', 'Passwort: [secret 1]'],
  ['secret: secret', 'secret: [secret 1]'],
  ['Authorization: Basic dXNlcjpwYXNzd29yZA==', 'Authorization: Basic [secret 1]'],
  ['basic authentication', 'basic authentication'],
  ['sk-proj-abcdefghijklmnop_qrst-uv', '[secret 1]'],
  ['s=x-eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', 's=x-[secret 1]'],
])('what looks like a secret is held back: %s', (text, hidden) => {
  expect(holdBack([]).hide(text)).toBe(hidden)
})

test('what was held back is put back where it was', () => {
  const held = holdBack(['hunter2-of-old'])
  const text = '# postgres://etl:pass/word1@db\n# hunter2-of-old\npassword: ${{ args.x }}\nsecret: :name\n'
  const hidden = held.hide(text)
  expect(hidden).toBe('# postgres://etl:pass/word1@db\n# [secret 1]\npassword: ${{ args.x }}\nsecret: :name\n')
  expect(held.hide('mongodb://u:geheim99@h')).toBe('mongodb://u:[secret 2]@h')
  expect(held.restore(`${hidden}[secret 2]`)).toBe(`${text}geheim99`)
})

test('half a secret at the edge of a part, and one that a finding quotes in part, are held back', () => {
  const secret = 'correct horse battery staple'
  const held = holdBack([secret])
  const cuts = Array.from({ length: secret.length - 12 }, (_, at) => at + 6)
  for (const at of cuts) {
    const parts = [`Sign in with ${secret.slice(0, at)}`, `${secret.slice(at)} and go on`]
    const hidden = parts.map((part) => held.hideCut(part))
    expect(hidden).toEqual([
      expect.stringMatching(/^Sign in with (?:\[secret \d+\])+$/),
      expect.stringMatching(/^(?:\[secret \d+\])+ and go on$/),
    ])
    expect(hidden.map(held.restore)).toEqual(parts)
  }
  const base64 = Buffer.from(`${secret}${secret}`).toString('base64')
  expect(held.hideCut(base64.slice(0, 30))).toMatch(/^\[secret \d+\]$/)
  expect(held.hideCut('Nothing of it: correct')).toMatch(/^Nothing of it: \[secret \d+\]$/)
  expect(held.hideCut('Nothing of it: corr')).toBe('Nothing of it: corr')
  // In a prompt, which nobody has cut, a word that begins like a password is a word.
  expect(held.hide('Is this correct')).toBe('Is this correct')

  const long = `token-${'0123456789'.repeat(9)}`
  const repairing = holdBack([long])
  repairing.hide(long)
  expect(repairing.hideQuoted(`There is no step "${long.slice(0, 60)}".`)).toBe('There is no step "[secret 1]".')
})

test('the lines of a private key are held back in whichever part of a reference they are', () => {
  const { hide } = holdBack([])
  const lines = `${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n'.repeat(12)}AbC=`
  const pem = `-----BEGIN PRIVATE KEY-----\n${lines}\n-----END PRIVATE KEY-----`
  for (const part of [pem, pem.slice(0, 400), pem.slice(300, 700), pem.slice(400)])
    expect(
      hide(`Before\n${part}\nafter`)
        .split('\n')
        .filter((line) => line.length > 64),
    ).toEqual([])
  expect(hide('What is held back once\npassword: [secret 1]')).toBe('What is held back once\npassword: [secret 1]')
})

test('each call is recorded with host, model, tokens, and digests, and the day has its budget', async () => {
  day().exec('DELETE FROM ai_usage_by_day')
  fake.reply({ text: fenced(good) })
  await generate()
  expect((await editor.get('/api/ai/usage')).body).toMatchObject({
    configured: true,
    requests: 1,
    tokens: 120,
    model: 'model-1',
  })
  fake.reply({ status: 401 })
  await generate()
  expect((await editor.get('/api/ai/usage')).body).toMatchObject({ requests: 2, tokens: 120 })
  hold(server.platform.config, 'ai.daily_tokens', 120)
  const refused = await editor.post('/api/ai/generate-task', { prompt: 'x' })
  expect([refused.status, code(refused.body)]).toEqual([429, 'RATE_LIMITED'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
})

test('a client that leaves ends the request at the provider', async () => {
  fake.reply({ hang: true })
  const leaving = new AbortController()
  const key_ = {
    authorization: String(Object.entries(editor.headers ?? {}).find(([name]) => name === 'authorization')?.[1]),
  }
  const answer = await fetch(`${server.url}/api/ai/generate-task`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...key_ },
    body: JSON.stringify({ prompt: 'x' }),
    signal: leaving.signal,
  })
  const reader = answer.body?.getReader()
  await reader?.read()
  leaving.abort()
  await expect.poll(() => fake.left).toBe(1)
})

test('the test says what works, and what does not', async () => {
  const admin = server.as('admin')
  fake.reply({ text: 'OK' })
  expect((await admin.post('/api/ai/test')).body).toMatchObject({
    ok: true,
    host: fake.host,
    model: 'model-1',
    code: null,
  })
  fake.reply({ status: 403, body: key })
  const { body } = await admin.post('/api/ai/test')
  expect(body).toMatchObject({ ok: false, code: 'ai_key_refused' })
  expect(JSON.stringify(body)).not.toContain('canary')
})
