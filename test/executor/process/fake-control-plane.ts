/** A control plane that holds nothing but what executors need: it speaks the contract and refuses what does not. */
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { postCallResult, type CallPlan } from '../../../src/contract/executor-calls.ts'
import {
  beginRuns,
  claimWork,
  heartbeatExecutor,
  registerExecutor,
  type Cancellation,
  type ProtectedPlace,
} from '../../../src/contract/executor-lifecycle.ts'
import {
  completeRun,
  postRunLogs,
  postRunProgress,
  postRunRejects,
  postRunState,
  type RunPlan,
} from '../../../src/contract/executor-protocol.ts'
import { namedSchemas, type BodyOf, type Operation, type ResultOf } from '../../../src/contract/operation.ts'
import type { FakeTask } from './fake-task.ts'

export const executorKey = 'svc_key-of-the-tests'

export interface Callback {
  run_id: number
  op: string
  body: Record<string, unknown>
}
export type Completion = BodyOf<typeof completeRun>

interface WaitingClaim {
  body: BodyOf<typeof claimWork>
  answer: (result: ResultOf<typeof claimWork>) => void
}

/** Answers a request instead of the control plane: a status with its error code, or nothing to let it pass. */
export type Intercept = (op: string, request: FastifyRequest) => { status: number; error: string } | 'hang' | null

export class FakeControlPlane {
  readonly leaseMs: number
  readonly heartbeatMs: number
  readonly registrations: BodyOf<typeof registerExecutor>[] = []
  readonly heartbeats: BodyOf<typeof heartbeatExecutor>[] = []
  readonly callbacks: Callback[] = []
  readonly callResults = new Map<string, BodyOf<typeof postCallResult>>()
  /** Runs that were given ahead; those that were given back; those that ended before they were allowed to begin. */
  readonly ahead = new Set<number>()
  readonly givenBack = new Set<number>()
  readonly begunTooSoon: number[] = []
  readonly #allowed = new Set<number>()
  intercept: Intercept = () => null
  /** Hears every callback; they are kept unless it says that it has had it. */
  onCallback: (callback: Callback) => boolean = () => false
  /** What executors are told to keep out of. */
  places: ProtectedPlace[] = []
  #drain = false
  #leaving = false
  #app: FastifyInstance | null = null
  #port = 0
  #credential = ''
  #lastRun = 0
  readonly #queue: RunPlan[] = []
  readonly #calls: CallPlan[] = []
  readonly #waiting = new Set<WaitingClaim>()
  #cancel: Cancellation[] = []
  #cancelCalls: string[] = []

  constructor({ leaseMs = 20_000, heartbeatMs = 200 } = {}) {
    this.leaseMs = leaseMs
    this.heartbeatMs = heartbeatMs
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  get online(): boolean {
    return this.heartbeats.length > 0
  }

  /** Starts, or starts again at the same port, knowing nothing of the executors before. */
  async up(): Promise<void> {
    const app = Fastify({
      bodyLimit: 33_554_432,
      forceCloseConnections: true,
      ajv: { customOptions: { strict: false } },
    })
    for (const schema of namedSchemas.values()) app.addSchema(schema)
    app.setErrorHandler((error: { statusCode?: number; message: string }, _request, reply) => {
      const status = error.statusCode ?? 500
      return reply
        .code(status)
        .send({ error: status === 400 ? 'VALIDATION_ERROR' : 'INTERNAL_ERROR', message: error.message })
    })
    this.#routes(app)
    this.#app = app
    await app.listen({ host: '127.0.0.1', port: this.#port })
    const address = app.server.address()
    if (typeof address === 'object' && address) this.#port = address.port
  }

  async down(): Promise<void> {
    this.#waiting.clear()
    this.#credential = ''
    await this.#app?.close()
    this.#app = null
  }

  run(task: FakeTask, plan: Partial<RunPlan> = {}): number {
    const run_id = ++this.#lastRun
    this.#queue.push({
      run_id,
      attempt: 1,
      lease_token: `lease-${run_id}`,
      task: { id: 1, name: 'fake', version: 1, yaml_content: JSON.stringify(task) },
      arguments: {},
      connectors: {},
      logical_date: '2026-01-01T00:00:00.000Z',
      timeout_ms: null,
      state: null,
      full_refresh: false,
      trigger_type: 'manual',
      job_run_id: null,
      ...plan,
    })
    this.#serve()
    return run_id
  }

  call(call_id: string, work: CallPlan['work'], timeout_ms = 10_000): void {
    this.#calls.push({ call_id, timeout_ms, work })
    this.#serve()
  }

  cancel(run_id: number, reason: Cancellation['reason'] = 'cancelled', attempt = 1): void {
    this.#cancel.push({ run_id, attempt, reason })
    this.#serve()
  }

  cancelCall(callId: string): void {
    this.#cancelCalls.push(callId)
    this.#serve()
  }

  /** As when somebody drains the executor: work is kept back. */
  set drain(drain: boolean) {
    this.#drain = drain
    this.#serve()
  }

  /** An executor has one claim at a time: the ones before are answered with nothing. */
  #sendHome(): void {
    for (const claim of this.#waiting) {
      this.#waiting.delete(claim)
      claim.answer({ runs: [], calls: [], results: [], cancel: [], cancel_calls: [], protected_places: [] })
    }
  }

  of(run_id: number, op?: string): Callback[] {
    return this.callbacks.filter((callback) => callback.run_id === run_id && (op === undefined || callback.op === op))
  }

  completion(run_id: number): Completion | undefined {
    // Checked against the contract when it came in.
    return this.of(run_id, completeRun.id)[0]?.body as Completion | undefined
  }

  /** Messages of all the lines that were told, those of the completion last. */
  log(run_id: number): string[] {
    const batches = this.of(run_id).map(({ op, body }) => (op === postRunLogs.id ? body : body.logs))
    return batches
      .flatMap((batch) => (batch as { lines?: { message: string }[] } | undefined)?.lines ?? [])
      .map(({ message }) => message)
  }

  /** Claims that wait now, as the executor asked. */
  get claims(): BodyOf<typeof claimWork>[] {
    return [...this.#waiting].map(({ body }) => body)
  }

  #serve(): void {
    for (const claim of this.#waiting) {
      const result = this.#work(claim.body)
      if (!result) continue
      this.#waiting.delete(claim)
      claim.answer(result)
    }
  }

  #work({ slots, ahead = 0, call_slots }: BodyOf<typeof claimWork>): ResultOf<typeof claimWork> | null {
    const runs = this.#queue.splice(0, this.#drain || this.#leaving ? 0 : slots + ahead)
    const calls = this.#calls.splice(0, call_slots)
    const [cancel, cancel_calls] = [this.#cancel, this.#cancelCalls]
    if (runs.length + calls.length + cancel.length + cancel_calls.length === 0) return null
    this.#cancel = []
    this.#cancelCalls = []
    const beyond = runs.slice(slots)
    for (const { run_id } of beyond) this.ahead.add(run_id)
    return { runs, ahead: beyond.length, calls, results: [], cancel, cancel_calls, protected_places: this.places }
  }

  #routes(app: FastifyInstance): void {
    this.#route(app, registerExecutor, ({ body }) => {
      this.registrations.push(body as BodyOf<typeof registerExecutor>)
      this.#leaving = false
      this.#credential = `credential-${this.registrations.length}`
      const [lease_ms, heartbeat_ms] = [this.leaseMs, this.heartbeatMs]
      return { id: 7, credential: this.#credential, lease_ms, heartbeat_ms, most_ahead: 100 }
    })
    this.#route(app, heartbeatExecutor, ({ body }) => {
      const heartbeat = body as BodyOf<typeof heartbeatExecutor>
      this.heartbeats.push(heartbeat)
      this.#leaving = heartbeat.draining ?? false
      // The last words of a process that ends.
      if (this.#leaving && heartbeat.running.length === 0) this.#credential = ''
      return { cancel: [], drain: this.#drain }
    })
    this.#route(app, beginRuns, ({ body }) => {
      const { begin, give_back } = body as BodyOf<typeof beginRuns>
      for (const { run_id } of begin) this.#allowed.add(run_id)
      for (const { run_id } of give_back) this.givenBack.add(run_id)
      return { cancel: [] }
    })
    this.#route(app, claimWork, async ({ body }, reply) => {
      const claim = body as BodyOf<typeof claimWork>
      return this.#work(claim) ?? (await this.#wait(claim, reply))
    })
    for (const op of [postRunState, postRunLogs, postRunProgress, postRunRejects, completeRun]) {
      this.#route(app, op, ({ body, params }) => {
        const run_id = Number((params as { id: string }).id)
        const callback = { run_id, op: op.id, body: body as Callback['body'] }
        if (this.ahead.has(run_id) && !this.#allowed.has(run_id)) this.begunTooSoon.push(run_id)
        if (!this.onCallback(callback)) this.callbacks.push(callback)
        return { accepted: true }
      })
    }
    this.#route(app, postCallResult, ({ body, params }) => {
      this.callResults.set((params as { callId: string }).callId, body as BodyOf<typeof postCallResult>)
      return { accepted: true }
    })
  }

  #wait(body: BodyOf<typeof claimWork>, reply: FastifyReply): Promise<ResultOf<typeof claimWork>> {
    return new Promise((resolve) => {
      this.#sendHome()
      const claim = { body, answer: resolve }
      this.#waiting.add(claim)
      reply.raw.once('close', () => this.#waiting.delete(claim))
    })
  }

  #route(
    app: FastifyInstance,
    op: Operation,
    handler: (request: FastifyRequest, reply: FastifyReply) => unknown,
  ): void {
    app.route({
      method: op.method,
      url: op.path.replace(/\{(\w+)\}/g, ':$1'),
      schema: { body: op.body, ...(op.headers ? { headers: op.headers } : {}) },
      preHandler: (request, reply, done) => {
        const answer = this.#refusal(op, request)
        if (answer === 'hang') return
        if (answer) void reply.code(answer.status).send({ error: answer.error, message: `refused: ${answer.error}` })
        else done()
      },
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        const result = await handler(request, reply)
        return reply.send(result)
      },
    })
  }

  #refusal(op: Operation, request: FastifyRequest): ReturnType<Intercept> {
    if (request.headers.authorization !== `Bearer ${executorKey}`) return { status: 401, error: 'AUTH_ERROR' }
    const credential = request.headers['x-executor-credential']
    if (op.headers && credential !== this.#credential) return { status: 409, error: 'CONFLICT' }
    return this.intercept(op.id, request)
  }
}
