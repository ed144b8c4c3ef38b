import { describe, expect, test } from 'vitest'
import { runMessage } from '../../../src/contract/run-messages.ts'
import type { Run } from '../../../src/contract/runs.ts'
import type { RunRejectGroup } from '../../../src/contract/run-rejects.ts'
import type { Message } from '../../../src/language/message.ts'
import { controlPlane, taskYaml } from './control-plane.ts'
import { fakeExecutor, failure, line } from './fake-executor.ts'

describe('waiting for a run', () => {
  test('is answered as soon as it has ended, and at the latest when the time is up', async () => {
    const plane = await controlPlane()
    const executor = await fakeExecutor(plane)
    const { id } = await plane.trigger()
    const waiting = plane.editor.get(`/api/runs/${id}?wait=60s`)
    const { runs } = await executor.claim()
    expect(await plane.editor.get(`/api/runs/${id}?wait=1s`)).toMatchObject({
      status: 200,
      body: { status: 'running' },
    })
    await executor.complete(runs[0]!)
    expect(await waiting).toMatchObject({ status: 200, body: { id, status: 'success' } })
    expect(await plane.editor.get(`/api/runs/${id}?wait=1m`)).toMatchObject({ body: { status: 'success' } })
  })

  test.each(['61s', '0s', '30', '2m', '-1s'])('refuses wait=%s in words', async (wait) => {
    const plane = await controlPlane()
    const { id } = await plane.trigger()
    const answer = await plane.editor.get(`/api/runs/${id}?wait=${wait}`)
    const detail = { path: 'query.wait', code: 'field_wanted', message: 'must be a time from 1s to 60s, such as 30s' }
    expect(answer).toMatchObject({ status: 400, body: { details: [detail] } })
  })

  test('ends with the session that asked', async () => {
    const plane = await controlPlane()
    const { id } = await plane.trigger()
    const made = await plane.editor.post('/api/api-keys', { name: 'waits', role: 'viewer', scopes: ['read'] })
    const { key, id: keyId } = made.body as { key: string; id: number }
    const headers = { authorization: `Bearer ${key}` }
    const waiting = plane.client.get(`/api/runs/${id}?wait=60s`, { headers })
    await plane.client.get(`/api/runs/${id}?wait=1s`, { headers })
    await plane.editor.delete(`/api/api-keys/${keyId}`)
    expect((await waiting).status).toBe(401)
  })
})

describe('starting a run', () => {
  test('gives a pending run that the next claim hands out with everything it needs', async () => {
    const plane = await controlPlane({ yaml: taskYaml('demo.args', 'args:\n  day: {type: date, required: true}\n') })
    const run = await plane.trigger({ arguments: { day: '2026-03-01' } })
    expect(run).toMatchObject({
      status: 'pending',
      task_id: plane.taskId,
      task_name: 'demo.args',
      task_version: 1,
      trigger_type: 'api',
      arguments: '{"day":"2026-03-01"}',
      connector_mapping: JSON.stringify(plane.mapping),
      attempt: 1,
      max_attempts: 1,
      started_at: null,
      log_file: null,
    })

    const executor = await fakeExecutor(plane)
    const { runs } = await executor.claim()
    expect(runs).toHaveLength(1)
    expect(runs[0]).toMatchObject({
      run_id: run.id,
      attempt: 1,
      task: { id: plane.taskId, name: 'demo.args', version: 1 },
      arguments: { day: '2026-03-01' },
      connectors: { out: { id: plane.mapping.out, type: 'file', secrets: {} } },
      logical_date: run.created_at,
    })
    expect(await plane.run(run.id)).toMatchObject({
      status: 'running',
      executor_name: 'fake',
      executor_id: executor.id,
    })
  })

  test('answers a waiting claim at once', async () => {
    const plane = await controlPlane()
    const executor = await fakeExecutor(plane)
    const claim = executor.claim({ wait_ms: 30_000 })
    const run = await plane.trigger()
    expect((await claim).runs.map(({ run_id }) => run_id)).toEqual([run.id])
  })

  test.each([
    ['an unknown argument', { arguments: { nope: 1 } }, 'body.arguments.nope'],
    ['a missing connector', { connector_mapping: {} }, 'body.connector_mapping.out'],
    ['an unknown connector', { connector_mapping: { out: 999 } }, 'body.connector_mapping.out'],
  ])('refuses %s with its path', async (_what, body, path) => {
    const plane = await controlPlane()
    const answer = await plane.editor.post(`/api/runs/trigger/${plane.taskId}`, {
      connector_mapping: plane.mapping,
      ...body,
    })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ error: 'VALIDATION_ERROR', details: [{ path }] })
    expect((await plane.editor.get('/api/runs')).body).toMatchObject({ total: 0 })
  })

  test('refuses an unknown task and an archived one', async () => {
    const plane = await controlPlane()
    expect((await plane.editor.post('/api/runs/trigger/999', {})).status).toBe(404)
    await plane.editor.patch(`/api/tasks/${plane.taskId}/archive`)
    const answer = await plane.editor.post(`/api/runs/trigger/${plane.taskId}`, { connector_mapping: plane.mapping })
    expect(answer.body).toMatchObject({ error: 'INVALID_STATE' })
  })

  test('with the same Idempotency-Key starts one run and gives the first answer again', async () => {
    const plane = await controlPlane()
    const start = () =>
      plane.editor.post(
        `/api/runs/trigger/${plane.taskId}`,
        { connector_mapping: plane.mapping },
        { headers: { 'idempotency-key': 'once' } },
      )
    const answers = await Promise.all([start(), start(), start()])
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(new Set(answers.map(({ body }) => (body as Run).id)).size).toBe(1)
    expect((await plane.editor.get('/api/runs')).body).toMatchObject({ total: 1 })
  })

  test('from a session is manual, and names who started it', async () => {
    const plane = await controlPlane()
    const user = plane.services.users.create({ username: 'mary', role: 'editor', passwordHash: null })
    const visit = {
      userId: user.id,
      pending: false,
      via: 'password',
      desktop: false,
      address: null,
      userAgent: null,
    } as const
    const { issued } = plane.services.sessions.begin(visit, undefined)
    const answer = await plane.client.post(
      `/api/runs/trigger/${plane.taskId}`,
      { connector_mapping: plane.mapping },
      { headers: { cookie: `svc_session=${issued.token}`, origin: plane.url } },
    )
    expect(answer).toMatchObject({ status: 201, body: { trigger_type: 'manual', created_by: user.id } })
  })

  test('is not for viewers', async () => {
    const plane = await controlPlane()
    expect((await plane.as('viewer').post(`/api/runs/trigger/${plane.taskId}`, {})).status).toBe(403)
    expect((await plane.as('viewer').get('/api/runs')).status).toBe(200)
  })

  test('fails the run when its connector was archived while it waited', async () => {
    const plane = await controlPlane()
    const run = await plane.trigger()
    await plane.editor.patch(`/api/connectors/${plane.mapping.out}/archive`)
    const executor = await fakeExecutor(plane)
    expect((await executor.claim()).runs).toEqual([])
    const failed = await plane.run(run.id)
    expect(failed).toMatchObject({ status: 'failed', error_code: 'VALIDATION_ERROR' })
    expect(failed.error_message).toContain('connector_mapping.out')
  })
})

describe('the end of a run', () => {
  test('keeps what the executor reported', async () => {
    const plane = await controlPlane()
    const executor = await fakeExecutor(plane)
    const { id } = await plane.trigger()
    const plan = (await executor.claim()).runs[0]!
    await executor.state(plan)
    const steps = [
      {
        index: 0,
        key: 'source',
        label: 'inline',
        status: 'success',
        rows_in: null,
        rows_out: 3,
        rows_rejected: 0,
        rows_inserted: 2,
        rows_updated: 0,
        bytes: 9,
        started_at: null,
        duration_ms: 1.5,
        columns: [{ name: 'a', type: 'BIGINT' }],
      },
      {
        index: 1,
        key: 'target',
        label: 'out.csv',
        status: 'success',
        rows_in: 3,
        rows_out: 3,
        rows_rejected: 0,
        bytes: 9,
        started_at: null,
        duration_ms: 2,
        columns: [],
        drift: [{ column: 'a', there: 'integer', coming: 'text', outcome: 'widened' }],
        changes: [{ column: 'a', change: 'rounded to real', count: 2, example: '0.1' }],
      },
    ]
    const report = {
      steps,
      outputs: { rows: 3 },
      metrics: { lane: 'columnar' },
      logs: { seq: 1, lines: [line('done')] },
    }
    expect(await executor.complete(plan, report)).toMatchObject({ status: 200, body: { accepted: true } })
    const run = await plane.run(id)
    expect(run).toMatchObject({
      status: 'success',
      item_count: 3,
      reject_count: 0,
      duration_ms: 12,
      outputs: '{"rows":3}',
      metrics_summary: '{"lane":"columnar"}',
      log_file: `runs/${id}.log`,
    })
    expect(run.created_at <= run.started_at! && run.started_at! <= run.completed_at!).toBe(true)
    expect((await plane.editor.get(`/api/runs/${id}/steps`)).body).toEqual(steps)
  })

  test.each([
    ['item_count', -1],
    ['item_count', 2 ** 63],
    ['reject_count', 2 ** 63],
    ['duration_ms', 2 ** 63],
  ])('is refused with %s %d, and can then be told rightly', async (field, value) => {
    const plane = await controlPlane()
    const executor = await fakeExecutor(plane)
    const { id } = await plane.trigger()
    const plan = (await executor.claim()).runs[0]!
    expect(await executor.complete(plan, { [field]: value })).toMatchObject({
      status: 400,
      body: { error: 'VALIDATION_ERROR', details: [{ path: `body.${field}` }] },
    })
    expect((await executor.complete(plan)).status).toBe(200)
    expect(await plane.run(id)).toMatchObject({ status: 'success' })
  })

  test('a failed attempt waits and comes again while attempts remain', async () => {
    const plane = await controlPlane({ yaml: taskYaml('demo.retry', 'retries: {max: 1, delay: 0s}\n') })
    const executor = await fakeExecutor(plane)
    const { id } = await plane.trigger()
    const first = (await executor.claim()).runs[0]!
    await executor.logs(first, 1, [line('first try')])
    await executor.complete(first, failure(true))
    const second = (await executor.claim({ wait_ms: 10_000 })).runs[0]!
    expect(second).toMatchObject({ run_id: id, attempt: 2 })
    expect(second.lease_token).not.toBe(first.lease_token)
    await executor.logs(second, 1, [line('second try')])
    await executor.complete(second)
    expect(await plane.run(id)).toMatchObject({ status: 'success', attempt: 2, error_message: null })
    const { body } = await plane.editor.get(`/api/runs/${id}/logs`)
    expect(body).toMatchObject({
      lines: [
        { line: 1, attempt: 1, message: 'first try' },
        { line: 2, attempt: 2, message: 'second try' },
      ],
      total_lines: 2,
      finished: true,
    })
  })

  test('a mistake of the task is not tried again', async () => {
    const plane = await controlPlane({ yaml: taskYaml('demo.once', 'retries: {max: 3, delay: 0s}\n') })
    const executor = await fakeExecutor(plane)
    const { id } = await plane.trigger()
    await executor.complete((await executor.claim()).runs[0]!, failure(false))
    expect(await plane.run(id)).toMatchObject({
      status: 'failed',
      attempt: 1,
      error_code: 'TARGET_FAILED',
      error_message: 'The table is locked.',
    })
  })
})

describe('cancelling', () => {
  test('ends a waiting run at once', async () => {
    const plane = await controlPlane()
    const { id } = await plane.trigger()
    expect((await plane.editor.post(`/api/runs/${id}/cancel`)).body).toEqual({ success: true })
    expect(await plane.run(id)).toMatchObject({ status: 'cancelled', attempt: 1 })
    expect((await (await fakeExecutor(plane)).claim()).runs).toEqual([])
    expect((await plane.editor.post(`/api/runs/${id}/cancel`)).body).toMatchObject({ error: 'INVALID_STATE' })
  })

  test('tells the executor of a running run through its waiting claim and its heartbeats', async () => {
    const plane = await controlPlane()
    const executor = await fakeExecutor(plane)
    const { id } = await plane.trigger()
    const plan = (await executor.claim()).runs[0]!
    const claim = executor.claim({ slots: 0, wait_ms: 30_000 })
    await plane.editor.post(`/api/runs/${id}/cancel`)
    expect((await claim).cancel).toEqual([{ run_id: id, attempt: 1, reason: 'cancelled' }])
    const heartbeat = await executor.heartbeat([{ run_id: id, attempt: 1 }])
    expect(heartbeat.body).toMatchObject({ cancel: [{ run_id: id, attempt: 1, reason: 'cancelled' }] })
    expect(await plane.run(id)).toMatchObject({ status: 'running' })
    await executor.complete(plan, { status: 'cancelled', item_count: null })
    expect(await plane.run(id)).toMatchObject({ status: 'cancelled', error_message: null })
  })

  test('a run that was done before the wish arrived stays done', async () => {
    const plane = await controlPlane()
    const executor = await fakeExecutor(plane)
    const { id } = await plane.trigger()
    const plan = (await executor.claim()).runs[0]!
    await plane.editor.post(`/api/runs/${id}/cancel`)
    await executor.complete(plan)
    expect(await plane.run(id)).toMatchObject({ status: 'success' })
  })
})

describe('retrying', () => {
  test('makes a new run with the old version, arguments, connectors and logical date', async () => {
    const plane = await controlPlane({ yaml: taskYaml('demo.args', 'args:\n  n: {type: integer, default: 1}\n') })
    const executor = await fakeExecutor(plane)
    const old = await plane.trigger({ arguments: { n: 7 } })
    const plan = (await executor.claim()).runs[0]!
    expect((await plane.editor.post(`/api/runs/${old.id}/retry`)).body).toMatchObject({ error: 'INVALID_STATE' })
    await executor.complete(plan, failure(false))
    await plane.editor.put(`/api/tasks/${plane.taskId}`, {
      yaml_content: taskYaml('demo.args', 'args:\n  other: {type: integer, default: 1}\n'),
    })
    const answer = await plane.editor.post(`/api/runs/${old.id}/retry`)
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
      retried_from: old.id,
      task_version: 1,
      arguments: '{"n":7}',
      status: 'pending',
    })
    const again = (await executor.claim()).runs[0]!
    expect(again).toMatchObject({ logical_date: plan.logical_date, task: plan.task, connectors: plan.connectors })
  })
})

describe('rejects', () => {
  test('are counted all, kept up to the cap, and listed in pages', async () => {
    const plane = await controlPlane()
    const executor = await fakeExecutor(plane)
    const { id } = await plane.trigger()
    const plan = (await executor.claim()).runs[0]!
    const rows = (from: number, count: number) =>
      Array.from({ length: count }, (_, i) => ({
        step: i % 2 ? 'cast' : 'expect',
        reason: 'bad',
        row: { n: from + i },
      }))
    for (let seq = 1; seq <= 3; seq++) {
      expect((await executor.rejects(plan, seq, rows(seq * 4000, 4000))).status).toBe(200)
      expect((await executor.rejects(plan, seq, rows(seq * 4000, 4000))).status).toBe(200)
    }
    expect(await plane.run(id)).toMatchObject({ reject_count: 12_000 })
    const first = (await plane.editor.get(`/api/runs/${id}/rejects`, { query: { limit: 2 } })).body
    expect(first).toMatchObject({ total: 10_000, result: [{ row: { n: 4000 }, attempt: 1 }, { row: { n: 4001 } }] })
    const { nextCursor } = first as { nextCursor: string }
    const next = (await plane.editor.get(`/api/runs/${id}/rejects`, { query: { limit: 2, cursor: nextCursor } })).body
    expect(next).toMatchObject({ result: [{ row: { n: 4002 } }, { row: { n: 4003 } }] })
    const cast = (await plane.editor.get(`/api/runs/${id}/rejects`, { query: { step: 'cast', limit: 1 } })).body
    expect(cast).toMatchObject({ total: 5000, result: [{ step: 'cast', row: { n: 4001 } }] })
    expect((await executor.rejects(plan, 9, rows(0, 1))).body).toMatchObject({
      error: 'CONFLICT',
      details: [{ path: 'body.seq', message: 'expected 4' }],
    })
    await executor.complete(plan, { status: 'completed', reject_count: 12_000 })
    expect(await plane.run(id)).toMatchObject({ status: 'completed', reject_count: 12_000 })
  })

  test('keep the code and the parameters of their reason; those of older executors have the text alone', async () => {
    const plane = await controlPlane()
    const executor = await fakeExecutor(plane)
    const { id } = await plane.trigger()
    const plan = (await executor.claim()).runs[0]!
    const coded = { reason: 'key column `id` is NULL', code: 'key_column_empty', params: { column: 'id' } }
    const old = { reason: 'bad' }
    await executor.rejects(
      plan,
      1,
      [coded, old].map((why) => ({ step: 'target', ...why, row: { id: null } })),
    )
    expect((await plane.editor.get(`/api/runs/${id}/rejects`)).body).toMatchObject({
      result: [coded, { ...old, code: null, params: null }],
    })
  })

  test('are downloaded as CSV, with a column for every field', async () => {
    const plane = await controlPlane()
    const executor = await fakeExecutor(plane)
    const { id } = await plane.trigger()
    const plan = (await executor.claim()).runs[0]!
    const odd = [
      { step: 'source', reason: 'a.csv, line 2: "no"', row: { line: 2, text: '1,"x"\n' } },
      { step: 'cast', reason: 'bad', row: { n: null, v: '', deep: { a: [1] } } },
    ]
    const many = Array.from({ length: 1200 }, (_, n) => ({ step: 'expect', reason: 'bad', row: { n } }))
    await executor.rejects(plan, 1, [...odd, ...many])
    const { body, headers } = await plane.editor.get(`/api/runs/${id}/rejects/download`)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('content-disposition')).toContain(`run-${id}-rejects.csv`)
    const lines = String(body).split('\r\n')
    expect(lines.slice(0, 4)).toEqual([
      'attempt,step,reason,row.line,row.text,row.n,row.v,row.deep',
      '1,source,"a.csv, line 2: ""no""",2,"1,""x""\n",,,',
      '1,cast,bad,,,,"","{""a"":[1]}"',
      '1,expect,bad,,,0,,',
    ])
    expect(lines).toHaveLength(1 + 2 + 1200 + 1)
    expect(lines.at(-2)).toBe('1,expect,bad,,,1199,,')
    const one = await plane.editor.get(`/api/runs/${id}/rejects/download`, { query: { step: 'cast' } })
    expect(one.body).toBe('attempt,step,reason,row.n,row.v,row.deep\r\n1,cast,bad,,"","{""a"":[1]}"\r\n')
    expect((await plane.editor.get('/api/runs/999999/rejects/download')).status).toBe(404)
  })

  test('as CSV are guarded against formulas where that is asked for, texts and names alike', async () => {
    const plane = await controlPlane()
    const executor = await fakeExecutor(plane)
    const { id } = await plane.trigger()
    const plan = (await executor.claim()).runs[0]!
    const row = { a: '=1+1', b: '@x', c: '+47 22', d: '-5', e: -5, f: '\tx', g: '=HYPERLINK("http://x","y")' }
    await executor.rejects(plan, 1, [{ step: 'source', reason: '=bad', row }])
    const path = `/api/runs/${id}/rejects/download`
    const { body } = await plane.editor.get(path, { query: { formula_guard: true } })
    expect(String(body).split('\r\n')[1]).toBe(
      `1,source,'=bad,'=1+1,'@x,'+47 22,-5,-5,'\tx,"'=HYPERLINK(""http://x"",""y"")"`,
    )
    const exact = await plane.editor.get(path)
    expect(String(exact.body).split('\r\n')[1]).toBe(
      '1,source,=bad,=1+1,@x,+47 22,-5,-5,\tx,"=HYPERLINK(""http://x"",""y"")"',
    )
  })

  test('are grouped by what rule they break, whatever their values; one group is listed and downloaded alone', async () => {
    const plane = await controlPlane()
    const executor = await fakeExecutor(plane)
    const { id } = await plane.trigger()
    const plan = (await executor.claim()).runs[0]!
    const coded = (step: string, { code, params, message }: Message, row: object) => ({
      step,
      reason: message,
      code,
      params,
      row,
    })
    const type = runMessage('type_written_as', { type: 'DATE', pattern: '%d.%m.%Y' })
    const date = (value: string) =>
      coded('cast', runMessage('value_of_other_type', { column: 'day', value, type }), { day: value })
    const price = (value: number) =>
      coded('expect', runMessage('check_broken_by', { name: 'paid', check: 'price > 0', values: `price = ${value}` }), {
        price: value,
      })
    await executor.rejects(plan, 1, [
      price(-1),
      ...Array.from({ length: 700 }, (_, n) => date(`day ${n}`)),
      { ...date('x'), step: 'cast again' },
      price(-2),
      { step: 'source', reason: 'bad', row: { line: 2 } },
    ])
    const { body } = await plane.editor.get(`/api/runs/${id}/rejects/groups`)
    const [dates, prices, ...others] = body as RunRejectGroup[]
    expect(dates).toMatchObject({
      step: 'cast',
      code: 'value_of_other_type',
      reason: 'Column `day` holds “…”, which is no DATE written as %d.%m.%Y',
      params: { column: 'day', value: '…' },
      count: 700,
    })
    expect(prices).toMatchObject({ reason: 'paid: expected price > 0', count: 2 })
    expect(others).toMatchObject([
      { step: 'cast again', reason: 'Column `day` holds “x”, which is no DATE written as %d.%m.%Y', count: 1 },
      { step: 'source', reason: 'bad', code: null, params: null, count: 1 },
    ])
    const like = dates!.first_id + 300
    const page = (await plane.editor.get(`/api/runs/${id}/rejects`, { query: { like, limit: 2 } })).body
    expect(page).toMatchObject({ total: 700, result: [{ row: { day: 'day 0' } }, { row: { day: 'day 1' } }] })
    const query = { like: prices!.first_id, format: 'ndjson' }
    const file = await plane.editor.get(`/api/runs/${id}/rejects/download`, { query })
    expect(file.headers.get('content-type')).toBe('application/x-ndjson')
    expect(file.headers.get('content-disposition')).toContain(`run-${id}-rejects.jsonl`)
    const lines = String(file.body).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual(
      [price(-1), price(-2)].map((reject) => ({ attempt: 1, ...reject })),
    )

    const other = await plane.trigger()
    for (const path of ['rejects', 'rejects/download'])
      expect(await plane.editor.get(`/api/runs/${other.id}/${path}`, { query: { like } })).toMatchObject({
        status: 400,
        body: { details: [{ path: 'query.like', code: 'not_a_reject_of_run' }] },
      })
  })

  test.each([
    ['the last batch of a few', 5_000, 4_000, 'failed'],
    ['all of them', 3, 0, 'failed'],
    ['some of those that are kept, of many more', 25_000, 8_000, 'failed'],
    ['only those that are not kept', 25_000, 10_000, 'completed'],
    ['none', 4_000, 4_000, 'completed'],
  ])('that never arrived (%s) are noticed at the end of the run', async (_, reported, arrived, status) => {
    const plane = await controlPlane({ yaml: taskYaml('demo.rejects', 'retries: {max: 2, delay: 0s}\n') })
    const executor = await fakeExecutor(plane)
    const { id } = await plane.trigger()
    const plan = (await executor.claim()).runs[0]!
    for (let seq = 1; seq <= Math.ceil(arrived / 2_000); seq++) {
      const rows = Array.from({ length: 2_000 }, (_row, n) => ({ step: 'cast', reason: 'bad', row: { n } }))
      expect((await executor.rejects(plan, seq, rows)).status).toBe(200)
    }
    const report = { status: 'completed', item_count: 7, reject_count: reported }
    expect((await executor.complete(plan, report)).status).toBe(200)
    // The same word again gets the same answer, and changes nothing.
    expect((await executor.complete(plan, report)).status).toBe(200)
    expect(await plane.run(id)).toMatchObject({ status, item_count: 7, reject_count: reported, attempt: 1 })
    if (status === 'completed') return
    expect(await plane.run(id)).toMatchObject({
      error_code: 'REJECTS_LOST',
      error_message: expect.stringContaining(`rejected ${reported} rows, but ${arrived} reached the server`) as unknown,
    })
  })
})
