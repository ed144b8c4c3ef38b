import variant from '@jitl/quickjs-wasmfile-release-sync'
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
} from 'quickjs-emscripten-core'
import type { MessagePort } from 'node:worker_threads'
import type { FromScript, ScriptFailure, ScriptWork } from './sandbox.types.ts'

/** Said and not yet logged: then the script waits. */
const mostLines = 200
/** Of the engine's own stack. What the thread has (4 MB) is used up by this several times over. */
const stackBytes = 256 * 1024
const longestLine = 65_536
const pageBytes = 65_536
/** What the engine itself begins with. */
const engineBytes = 16 * 1024 * 1024

/** Said before the script's first line, so that its lines can be counted. */
const opening = '(function () {\n'
const openingLines = 1

/**
 * Runs before the script, and takes what it needs with it: a script may overwrite what it sees. `say` is ours. Whole numbers beyond
 * 2^53 are BigInts to a script, and text in its result, as everywhere in the language.
 */
const prelude = `(function (say, args, run) {
  const stringify = JSON.stringify
  const exact = (key, value) => typeof value !== 'bigint' ? value
    : value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : String(value)
  const shown = (value) => {
    if (typeof value === 'string') return value
    if (value instanceof Error) return String(value)
    if (typeof value === 'object' && value !== null) { try { return stringify(value, exact) } catch { return String(value) } }
    return String(value)
  }
  const teller = (level) => (...values) => say(level, values.map(shown).join(' '))
  globalThis.console = { log: teller('info'), info: teller('info'), debug: teller('debug'), warn: teller('warn'), error: teller('error') }
  globalThis.args = JSON.parse(args)
  globalThis.run = JSON.parse(run)
  return (value) => stringify(value, exact)
})`

/** An engine of its own inside the thread: it has JavaScript's own objects, and nothing of the machine. */
export async function runScript(work: ScriptWork, port: MessagePort): Promise<void> {
  const send = (message: FromScript): void => port.postMessage(message)
  const lines = new Int32Array(work.lines)
  const memory = memoryOf(work.memoryBytes)
  const engine = await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmMemory: memory }))
  const runtime = engine.newRuntime({ memoryLimitBytes: work.memoryBytes, maxStackSizeBytes: stackBytes })
  let deadline = performance.now() + work.timeoutMs
  let late = false
  runtime.setInterruptHandler(() => (late = performance.now() > deadline))
  const context = runtime.newContext()
  const fail = (reason: ScriptFailure, message: string, stack?: string): void =>
    send({ type: 'failed', reason, message, ...placeIn(stack) })

  function say(level: string, message: string): void {
    const known = level === 'debug' || level === 'warn' || level === 'error' ? level : 'info'
    send({ type: 'line', level: known, message: message.slice(0, longestLine) })
    Atomics.add(lines, 0, 1)
    const began = performance.now()
    // The process takes one away for each line that the log has room for; waiting is no time of the script's.
    for (let open = Atomics.load(lines, 0); open > mostLines; open = Atomics.load(lines, 0))
      Atomics.wait(lines, 0, open)
    deadline += performance.now() - began
  }

  try {
    const stringify = prepare(context, work, say)
    const value = settled(context, runtime, call(context, `${opening}${work.code}\n})()`, 'script.js'))
    const text = context.unwrapResult(context.callFunction(stringify, context.undefined, value))
    const result = context.typeof(text) === 'undefined' ? 'null' : context.getString(text)
    if (result.length > work.longestResult)
      return fail(
        'result',
        `has ${result.length.toLocaleString('en')} characters as JSON; ${work.longestResult.toLocaleString('en')} are allowed`,
      )
    send({ type: 'result', result })
  } catch (thrown) {
    if (late) return fail('time', 'it took too long')
    const { name, message, stack } = errorOf(thrown)
    // Without room for the error itself the engine throws null, or an error that cannot be told. Memory grows in steps.
    const withoutMessage = thrown instanceof ScriptError && (thrown.thrown === null || thrown.thrown === '')
    const starved = withoutMessage && memory.buffer.byteLength > 0.9 * (engineBytes + work.memoryBytes)
    if (starved || (name === 'InternalError' && message === 'out of memory')) return fail('memory', message)
    if (thrown instanceof RangeError) return fail('thrown', 'its functions call each other too deep')
    const reason = name === 'SyntaxError' && !/ at .*[(@]/.test(stack ?? '') ? 'syntax' : 'thrown'
    fail(reason, name === undefined ? message : `${name}: ${message}`, stack)
  }
}

/** What the script threw. */
class ScriptError extends Error {
  readonly thrown: unknown
  constructor(thrown: unknown) {
    super('thrown by the script')
    this.thrown = thrown
  }
}

interface WasmMemory {
  readonly buffer: ArrayBuffer
}
// Node has it, the types of Node have not.
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: { Memory: new (pages: { initial: number; maximum: number }) => WasmMemory }
}

/** The engine's own limit stops one value that is too large, but does not know how much many small ones take: this does. */
function memoryOf(bytes: number): WasmMemory {
  return new WebAssembly.Memory({
    initial: engineBytes / pageBytes,
    maximum: Math.ceil((engineBytes + bytes) / pageBytes),
  })
}

function call(context: QuickJSContext, code: string, file: string): QuickJSHandle {
  const result = context.evalCode(code, file)
  if (!result.error) return result.value
  throw new ScriptError(context.dump(result.error))
}

function prepare(
  context: QuickJSContext,
  { args, run }: ScriptWork,
  say: (level: string, message: string) => void,
): QuickJSHandle {
  const logger = context.newFunction('say', (level, message) =>
    say(context.getString(level), context.getString(message)),
  )
  const begin = call(context, prelude, 'headgate.js')
  const given = [logger, context.newString(args), context.newString(run)]
  return context.unwrapResult(context.callFunction(begin, context.undefined, ...given))
}

/** A promise is waited for: nothing but the script itself can settle it. */
function settled(context: QuickJSContext, runtime: QuickJSRuntime, value: QuickJSHandle): QuickJSHandle {
  const jobs = runtime.executePendingJobs()
  if (jobs.error) throw new ScriptError(context.dump(jobs.error))
  const state = context.getPromiseState(value)
  if (state.type === 'fulfilled') return state.value
  if (state.type === 'rejected') throw new ScriptError(context.dump(state.error))
  throw new Error('it returned a promise that nothing settles')
}

function errorOf(thrown: unknown): { name?: string; message: string; stack?: string } {
  const error = thrown instanceof ScriptError ? thrown.thrown : thrown
  if (typeof error !== 'object' || error === null) return { message: String(error) }
  const { name, message, stack } = error as { name?: unknown; message?: unknown; stack?: unknown } // whatever was thrown
  if (typeof message !== 'string') return { message: JSON.stringify(error) }
  return {
    ...(typeof name === 'string' && name !== 'Error' ? { name } : {}),
    message,
    ...(typeof stack === 'string' ? { stack } : {}),
  }
}

/** Of the script's own text, from 1. */
function placeIn(stack: string | undefined): { line: number | null; column: number | null } {
  const place = /script\.js:(\d+)(?::(\d+))?/.exec(stack ?? '')
  if (!place) return { line: null, column: null }
  return {
    line: Math.max(1, Number(place[1]) - openingLines),
    column: place[2] === undefined ? null : Number(place[2]),
  }
}
