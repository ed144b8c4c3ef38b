// What is done with the secrets once they are in.
import { expect, vi } from 'vitest'
import { operations } from '../../../src/contract/operations.ts'
import type { FakeAi } from '../../support/fake-ai.ts'
import type { Aviary } from './canary.ts'
import { type Ask, answered } from './canary-caller.ts'
import { channelsWithSecrets, connectorsWithSecrets, taskFor } from './canary-doors.ts'

export async function apiKey({ know }: Aviary, ask: Ask): Promise<string> {
  const asking = { body: { name: 'canary' }, headers: { 'idempotency-key': 'canary-key' }, shows: ['API key'] }
  const { key } = answered(await ask<{ key: string }>('POST', '/api/api-keys', asking), 201)
  know('API key', key)
  return key
}

export async function settings({ plant }: Aviary, ask: Ask) {
  const values = { 'ai.api_key': plant('AI key').replaceAll(/[^!-~]/g, '') }
  answered(await ask('PUT', '/api/server/config', { body: { values } }), 200)
}

/** Secrets in the wrong place: what refuses them must not repeat them. */
export async function mistakes({ plant }: Aviary, root: Ask, nobody: Ask) {
  const postgres = { name: 'wrong', type: 'postgres', config: { host: 'h', database: 'd', user: 'u' } }
  const refused = [
    await root('POST', '/api/connectors', { body: { ...postgres, secrets: { pasword: plant('misnamed') } } }),
    await root('POST', '/api/connectors', { body: { ...postgres, secrets: { password: [plant('in a list')] } } }),
    await root('POST', '/api/connectors', { body: { ...postgres, secrets: plant('no object') } }),
    await root('POST', '/api/connectors', { body: `{"secrets": {"password": "${plant('broken JSON').slice(0, 20)}` }),
    await root('POST', '/api/connectors', {
      body: { ...postgres, type: 's3', secrets: { secret_access_key: plant('too long').repeat(200) } },
    }),
    await root('POST', '/api/users', { body: { username: '', role: 'viewer', password: plant('of nobody') } }),
    await root('PUT', '/api/server/config', { body: { values: { 'ai.api_key': [plant('bad setting')] } } }),
    await nobody('GET', '/api/tasks', {
      headers: { authorization: `Bearer ${plant('wrong key').replaceAll(/\W/g, '')}` },
    }),
    await nobody('POST', `/api/hooks/${encodeURIComponent(plant('wrong hook'))}`, { body: {} }),
    await nobody('POST', '/api/auth/launch', { body: { token: plant('wrong launch token') } }),
  ]
  expect(refused.map(({ status }) => status).filter((status) => status < 400 || status >= 500)).toEqual([])
}

export async function useChannels(aviary: Aviary, ask: Ask, echo: string) {
  for (const body of channelsWithSecrets(aviary, echo)) {
    const { id } = answered(await ask<{ id: number }>('POST', '/api/notifications', { body }), 201)
    expect((await ask('POST', `/api/notifications/${id}/test`)).body).toMatchObject({ status: 'failed' })
  }
}

/** Tests, looks at what is there, previews and runs, all of which fail at the far side. */
export async function useConnectors(aviary: Aviary, ask: Ask, echo: string, folder: string, look: () => void) {
  const out = { name: 'out', type: 'file', config: { root: folder } }
  const { id: outId } = (await ask<{ id: number }>('POST', '/api/connectors', { body: out })).body
  const runs: number[] = []
  const previews = await Promise.all(
    connectorsWithSecrets(aviary, echo).map(async (connector) => {
      const unsaved = await ask('POST', '/api/connectors/test', { body: { ...connector, name: undefined } })
      expect(unsaved.body).toMatchObject({ ok: false })
      const { id } = answered(await ask<{ id: number }>('POST', '/api/connectors', { body: connector }), 201)
      expect((await ask('POST', `/api/connectors/${id}/test`)).body).toMatchObject({ ok: false })
      const yaml_content = taskFor(connector.name, connector.type)
      const connector_mapping = { far: id, out: outId }
      const task = answered(await ask<{ id: number }>('POST', '/api/tasks', { body: { yaml_content } }), 201)
      const [preview, run] = await Promise.all([
        ask('POST', '/api/tasks/preview', { body: { yaml_content, connector_mapping } }),
        ask<{ id: number }>('POST', `/api/runs/trigger/${task.id}`, { body: { connector_mapping } }),
        ask('GET', `/api/connectors/${id}/resources`),
      ])
      runs.push(answered(run, 201).id)
      return { name: connector.name, text: JSON.stringify(answered(preview, 200)) }
    }),
  )
  // The far system did repeat them, and they were taken out.
  const repeated = previews.filter(({ text }) => text.includes('***')).map(({ name }) => name)
  expect(repeated).toEqual(
    expect.arrayContaining(['basic', 'bearer', 'api_key', 'api_key_in_query', 'oauth2', 'oauth2_refused']),
  )
  await Promise.all(
    runs.map((id) =>
      vi.waitUntil(
        async () => {
          look()
          const { body } = await ask<{ status: string }>('GET', `/api/runs/${id}`)
          return ['failed', 'completed', 'cancelled'].includes(body.status)
        },
        { timeout: 300_000, interval: 1_000 },
      ),
    ),
  )
  for (const id of runs) {
    expect((await ask('GET', `/api/runs/${id}`)).body).toMatchObject({ status: 'failed' })
    for (const part of ['logs', 'logs/download', 'steps', 'rejects']) await ask('GET', `/api/runs/${id}/${part}`)
  }
}

export async function useHook({ know }: Aviary, ask: Ask, nobody: Ask) {
  const template = `etl: 1
kind: job
name: canary.job
tasks:
  wait: {gate: "Go on?"}
`
  const body = { yaml_content: template }
  const { id } = answered(await ask<{ id: number }>('POST', '/api/job-templates', { body }), 201)
  const named = { body: { name: 'canary' } }
  const job = answered(await ask<{ id: number }>('POST', `/api/job-templates/${id}/jobs`, named), 201)
  const hook = await ask<{ token: string }>('POST', '/api/event-triggers', {
    body: { job_id: job.id, name: 'hook', type: 'webhook' },
    headers: { 'idempotency-key': 'canary-hook' },
    shows: ['hook token'],
  })
  const { token } = answered(hook, 201)
  know('hook token', token)
  answered(await nobody('POST', `/api/hooks/${token}`, { body: {} }), 202)
}

/** Every GET of the interface that ends, with the first records of each kind. */
export async function readEverything(ask: Ask) {
  const backups = await ask<{ result: { name: string }[] }>('GET', '/api/server/backups')
  const name = backups.body.result[0]?.name ?? 'none'
  for (const operation of Object.values(operations)) {
    const { method, path } = operation
    const streams: Record<number, string | readonly string[]> = 'streams' in operation ? operation.streams : {}
    if (method !== 'GET' || streams[200] === 'text/event-stream') continue
    const file = path.startsWith('/api/server/backups')
    await ask('GET', path.replaceAll(/\{\w+\}/g, file ? name : '1'))
  }
  answered(await ask('GET', '/api/export?versions=all'), 200)
}

/** Secrets in texts for a model, in every way of writing: the provider gets none, and neither does a record of the call. */
export async function useAi({ plant, saw }: Aviary, ask: Ask, fake: FakeAi) {
  const password = plant('held back')
  const values = {
    'ai.provider': 'compatible',
    'ai.base_url': fake.url,
    'ai.model': 'm',
    'ai.api_key': 'of-the-canary-test',
  }
  answered(await ask('PUT', '/api/server/config', { body: { values } }), 200)
  const config = { host: '127.0.0.1', port: 1, database: 'd', user: 'u' }
  const connector = { name: 'held back', type: 'postgres', config, secrets: { password } }
  const { id } = answered(await ask<{ id: number }>('POST', '/api/connectors', { body: connector }), 201)
  const bytes = Buffer.from(password)
  const texts = [
    password,
    encodeURIComponent(password),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    [...password].toReversed().join(''),
    ...['', 'u', 'us'].flatMap((before) =>
      (['base64', 'base64url'] as const).map((encoding) => Buffer.from(`${before}${password}!`).toString(encoding)),
    ),
  ].join('\n')
  fake.reply({ text: 'No task.' })
  const body = { prompt: texts, connector_ids: [id], base_yaml: texts.replaceAll(/^/gm, '# ') }
  answered(await ask('POST', '/api/ai/generate-task/preview', { body }), 200)
  answered(await ask('POST', '/api/ai/generate-task', { body }), 200)
  expect(fake.asked.length).toBe(2)
  for (const { body: sent } of fake.asked) saw('request to the AI provider', sent)
}
