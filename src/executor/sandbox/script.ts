import { cancelled } from '../engine/duckdb.ts'
import { EngineError } from '../engine/errors.ts'
import type { FromScript } from './sandbox.types.ts'
import { startThread } from './thread.ts'
import { runMessage } from '../../contract/run-messages.ts'

export interface ScriptOptions {
  code: string
  args: unknown
  run: unknown
  memoryMb: number
  timeoutMs: number
  /** Of the result, as JSON. */
  longestResult: number
  signal: AbortSignal
  log(level: 'debug' | 'info' | 'warn' | 'error', message: string): void
  logRoom(): Promise<void>
}

/** The engine looks at the clock itself; only what never comes back to it, as a regular expression, is ended from outside. */
const overtimeMs = 1_000
/** Of what is no memory of the script's: the engine around it. */
const engineMb = 128

/** Runs a script to its end and gives what it returned. */
export async function runScript(options: ScriptOptions): Promise<unknown> {
  const { signal, timeoutMs, memoryMb } = options
  if (signal.aborted) throw cancelled()
  const lines = new Int32Array(new SharedArrayBuffer(4))
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  let logging = Promise.resolve()
  let heardAt = performance.now()
  let unlogged = 0

  async function logLine(line: Extract<FromScript, { type: 'line' }>): Promise<void> {
    options.log(line.level, line.message)
    await options.logRoom()
    Atomics.sub(lines, 0, 1)
    Atomics.notify(lines, 0)
    unlogged--
    heardAt = performance.now()
  }

  const thread = startThread<never, FromScript>({
    work: {
      kind: 'script',
      code: options.code,
      args: JSON.stringify(options.args),
      run: JSON.stringify(options.run),
      memoryBytes: memoryMb * 1024 * 1024,
      timeoutMs,
      longestResult: options.longestResult,
      lines: lines.buffer,
    },
    memoryMb: engineMb,
    hear(message) {
      if (message.type === 'line') {
        unlogged++
        logging = logging.then(() => logLine(message))
      } else if (message.type === 'failed') reject(failure(message, options))
      else resolve(JSON.parse(message.result))
    },
    lost: (reason, error) =>
      reject(
        reason === 'memory'
          ? failure({ type: 'failed', reason: 'memory', message: '', line: null, column: null }, options)
          : new EngineError('INTERNAL_ERROR', runMessage('script_thread_ended'), { cause: error }),
      ),
  })
  const timer = setInterval(() => {
    // While its lines wait for room in the log, so may the script.
    if (unlogged > 0 || performance.now() - heardAt < timeoutMs + overtimeMs) return
    reject(failure({ type: 'failed', reason: 'time', message: '', line: null, column: null }, options))
  }, 100)
  const abort = (): void => reject(cancelled())
  signal.addEventListener('abort', abort)
  try {
    return await promise
  } finally {
    clearInterval(timer)
    signal.removeEventListener('abort', abort)
    await thread.end()
    if (!signal.aborted) await logging
  }
}

function failure(
  { reason, message, line, column }: Extract<FromScript, { type: 'failed' }>,
  { memoryMb, timeoutMs }: ScriptOptions,
): EngineError {
  if (reason === 'memory') {
    return new EngineError('SCRIPT_FAILED', runMessage('script_out_of_memory', { memoryMb }), {
      hint: runMessage('script_out_of_memory_fix'),
    })
  }
  if (reason === 'time') {
    return new EngineError('SCRIPT_FAILED', runMessage('script_too_slow', { seconds: timeoutMs / 1000 }), {
      hint: runMessage('script_too_slow_fix'),
    })
  }
  if (reason === 'result')
    return new EngineError('OUTPUTS_TOO_LARGE', runMessage('script_result_invalid', { text: message }), {
      hint: runMessage('script_result_invalid_fix'),
    })
  const cause =
    line === null
      ? message
      : column === null
        ? runMessage('script_at_line', { line, cause: message })
        : runMessage('script_at', { line, column, cause: message })
  return new EngineError(
    'SCRIPT_FAILED',
    runMessage(reason === 'syntax' ? 'script_unreadable' : 'script_failed', { cause }),
    {
      hint: reason === 'syntax' ? runMessage('script_syntax_fix') : runMessage('script_failed_fix'),
    },
  )
}
