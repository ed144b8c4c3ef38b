import { plainMessage } from '../../language/message.ts'
import { evaluateHook } from '../../language/task/resolve-task.ts'
import type { ExpressionScope } from '../../language/task/task-scope.ts'
import type { Hook, Hooks } from '../../language/task/task.types.ts'
import { isSuccess, refusal, sendRequest, withWebClient } from '../connectors/http/request.ts'
import { openStatements } from '../connectors/statements.ts'
import type { KindContext } from '../kinds/kind.types.ts'
import { EngineError, asEngineError } from './errors.ts'
import { runMessage } from '../../contract/run-messages.ts'

/** A hook that failed, with the key under which it stands in the log: `before.1`. */
export class HookFailure extends Error {
  readonly key: string
  readonly error: EngineError

  constructor(key: string, error: EngineError) {
    super(error.message)
    this.name = 'HookFailure'
    this.key = key
    this.error = error
  }
}

type Around = Pick<KindContext, 'connector' | 'io'>

/** One after the other; the first failure ends it. */
export async function runHooks(
  phase: 'before' | 'after',
  hooks: Hooks,
  scope: ExpressionScope,
  around: Around,
): Promise<void> {
  for (const [index, hook] of hooks[phase].entries()) {
    const key = `${phase}.${index + 1}`
    try {
      await runHook(hook, `hooks.${phase}[${index}]`, key, scope, around)
    } catch (thrown) {
      throw new HookFailure(key, asEngineError(thrown))
    }
  }
}

/** All of them, whatever becomes of each: a failure is logged. */
export async function runErrorHooks(hooks: Hooks, scope: ExpressionScope, around: Around): Promise<void> {
  const { io } = around
  if (hooks.on_error.length === 0) return
  if (io.signal.aborted) {
    io.log('warn', 'The run was stopped: the `on_error` hooks are skipped', 'on_error')
    return
  }
  for (const [index, hook] of hooks.on_error.entries()) {
    const key = `on_error.${index + 1}`
    try {
      await runHook(hook, `hooks.on_error[${index}]`, key, scope, around)
    } catch (thrown) {
      const { message, hint } = asEngineError(thrown)
      io.log('error', hint === undefined ? message : `${message} — ${hint}`, key)
    }
  }
}

async function runHook(
  written: Hook,
  path: string,
  key: string,
  scope: ExpressionScope,
  around: Around,
): Promise<void> {
  const { hook, problems } = evaluateHook(written, scope, path)
  const problem = problems[0]
  if (problem) {
    throw new EngineError(
      'EXPRESSION_FAILED',
      runMessage('at_path', { path: problem.path, cause: plainMessage(problem) }),
      {
        hint: runMessage('check_expression'),
      },
    )
  }
  const began = performance.now()
  const done = hook.kind === 'sql' ? await runStatements(hook, around) : await callApi(hook, key, around)
  around.io.log('info', `${done} (${Math.round(performance.now() - began)} ms)`, key)
}

/** All statements or none, where the database can do that. */
async function runStatements(hook: Extract<Hook, { kind: 'sql' }>, { connector, io }: Around): Promise<string> {
  const bound = connector(hook.connector)
  const session = await openStatements(bound, io)
  try {
    await session.begin()
    let changed = 0
    try {
      for (const statement of hook.statements) changed += (await session.run(statement, hook.params)).changed ?? 0
      await session.commit()
    } catch (thrown) {
      // What failed is what is told; a connection that is gone has rolled back by itself.
      await session.rollback().catch(() => undefined)
      throw thrown
    }
    const count = hook.statements.length
    const what = count === 1 ? 'One statement' : `${count} statements`
    return `${what} on ${bound.name}: ${changed.toLocaleString('en')} rows changed`
  } finally {
    await session.close()
  }
}

function callApi(hook: Extract<Hook, { kind: 'http' }>, key: string, { connector, io }: Around): Promise<string> {
  const bound = connector(hook.connector)
  const log: KindContext['log'] = (level, message) => io.log(level, message, key)
  return withWebClient(bound, { signal: io.signal, log }, async (client) => {
    const response = await sendRequest(client, hook.request)
    if (!isSuccess(response)) throw refusal(response, bound, client)
    return `${response.what}: ${response.status}`
  })
}
