import { describe, expect, it, vi } from 'vitest'
import { runTask, type FinishedRun, type RunOptions } from '../engine/run-task.ts'

function runScript(
  code: string,
  options: RunOptions & { memory?: number; timeout?: string; outputs?: string } = {},
): Promise<FinishedRun> {
  const { memory = 64, timeout = '20s', outputs = '{result: "${{ result }}"}' } = options
  const yaml = `etl: 1
kind: script
name: compute
args:
  numbers: {type: list, items: integer, default: [1, 2, 3]}
  name: {type: string, default: "é😀"}
script:
  memory_mb: ${memory}
  code: |
${code
  .split('\n')
  .map((line) => `    ${line}`)
  .join('\n')}
timeout: ${timeout}
outputs: ${outputs}
`
  return runTask(yaml, {}, options)
}

describe('script', () => {
  it('computes from its arguments, and gives its result to the outputs', async () => {
    const run = await runScript(
      'const sum = args.numbers.reduce((a, b) => a + b, 0)\nreturn {sum, name: args.name, day: run.logical_date.slice(0, 10)}',
    )
    expect(run).toMatchObject({
      status: 'success',
      outputs: { result: { sum: 6, name: 'é😀', day: '2026-03-01' } },
      item_count: null,
    })
    expect(run.steps).toMatchObject([{ key: 'script', status: 'success' }])
  })

  it('writes to the log with the level it chose', async () => {
    const run = await runScript(
      'console.log("one", 2, {a: [3]})\nconsole.warn(new TypeError("odd"))\nconsole.error(undefined, null, 10n)',
    )
    expect(run.log.filter((line) => line.step === 'script' && line.level !== 'debug').slice(0, 3)).toEqual([
      { level: 'info', message: 'one 2 {"a":[3]}', step: 'script' },
      { level: 'warn', message: 'TypeError: odd', step: 'script' },
      { level: 'error', message: 'undefined null 10', step: 'script' },
    ])
  })

  it('begins its log with the task, and counts attempts from the second on', async () => {
    const firstLine = async (attempt: number) => (await runScript('return 1', { attempt })).log[0]?.message
    expect(await firstLine(1)).toBe('Task test version 1')
    expect(await firstLine(2)).toBe('Task test version 1, attempt 2')
  })

  it('gives nothing, promises and large numbers as JSON has them', async () => {
    expect((await runScript('let x = 1')).outputs).toEqual({ result: null })
    expect(
      (
        await runScript(
          'return (async () => { await null; return {a: 12345678901234567890n, b: 5n, c: NaN, d: undefined} })()',
        )
      ).outputs,
    ).toEqual({
      result: { a: '12345678901234567890', b: 5, c: null },
    })
    const never = await runScript('return new Promise(() => {})')
    expect(never.error).toMatchObject({
      code: 'SCRIPT_FAILED',
      message: 'The script failed: it returned a promise that nothing settles',
    })
  })

  it('names the line and column of a mistake', async () => {
    const thrown = await runScript('const a = 1\n  missing.call()\nreturn a')
    expect(thrown.error).toMatchObject({
      code: 'SCRIPT_FAILED',
      step: 'script',
      message: "The script failed: line 2, column 3: ReferenceError: 'missing' is not defined",
      retryable: false,
    })
    const syntax = await runScript('const a = 1\nconst b = ;')
    expect(syntax.error?.message).toMatch(/^The script cannot be read: line 2, column \d+: SyntaxError/)
    const own = await runScript('throw {code: 7}')
    expect(own.error?.message).toBe('The script failed: {"code":7}')
  })

  it('reaches nothing of the machine', async () => {
    const run = await runScript(
      'return ["process", "require", "fetch", "setTimeout", "std", "os", "WebAssembly", "Worker", "XMLHttpRequest"].filter((name) => name in globalThis).concat(Function("return typeof process")())',
    )
    expect(run.outputs).toEqual({ result: ['undefined'] })
    const imported = await runScript('return import("node:fs").then((fs) => Object.keys(fs).length)')
    expect(imported.status).toBe('failed')
  })

  it('is ended when it takes too long, even inside a regular expression', async () => {
    const loop = await runScript('for (;;) {}', { timeout: '500ms' })
    expect(loop.error).toMatchObject({ code: 'SCRIPT_FAILED', message: 'The script took longer than 0.5 s' })
    const caught = await runScript('for (;;) { try { for (;;) {} } catch {} }', { timeout: '500ms' })
    expect(caught.error).toMatchObject({ message: 'The script took longer than 0.5 s' })
    const pattern = await runScript('return /^(a+)+$/.test("a".repeat(60) + "b")', { timeout: '500ms' })
    expect(pattern.error).toMatchObject({ message: 'The script took longer than 0.5 s' })
  })

  it('is ended when it takes too much memory; the process goes on', async () => {
    const list = await runScript('const l = []; for (;;) l.push({a: [1, 2, 3]})', { memory: 16 })
    expect(list.error).toMatchObject({ code: 'SCRIPT_FAILED', message: 'The script needs more than 16 MiB of memory' })
    const text = await runScript('let s = "x"; for (;;) s += s', { memory: 16 })
    expect(text.status).toBe('failed')
    const buffer = await runScript('return new Uint8Array(600 * 1024 * 1024).length', { memory: 512 })
    expect(buffer.error).toMatchObject({ message: 'The script needs more than 512 MiB of memory' })
    const deep = await runScript('function f() { return f() + 1 }\nreturn f()')
    expect(deep.error?.message).toMatch(/^The script failed: /)
    expect((await runScript('return 1')).outputs).toEqual({ result: 1 })
  })

  it('may hold no more than its memory, however small the parts are', async () => {
    for (const part of ['"x".repeat(100_000) + i', 'new Uint8Array(100_000)', '{ i }']) {
      const many = await runScript(`const l = []\nfor (let i = 0; i < 5_000_000; i++) l.push(${part})`, { memory: 32 })
      expect(many.error).toMatchObject({ message: 'The script needs more than 32 MiB of memory' })
    }
    const released = 'let n = 0\nfor (let i = 0; i < 1000; i++) n += ("x".repeat(100_000) + i).length\nreturn n'
    expect((await runScript(released, { memory: 16 })).outputs).toEqual({ result: 100_002_890 })
    const caught =
      'const l = []\ntry { for (;;) l.push("x".repeat(100_000) + l.length) } catch { l.length = 0 }\nreturn 7'
    expect((await runScript(caught, { memory: 16 })).outputs).toEqual({ result: 7 })
    const full = 'const l = []\ntry { for (;;) l.push("x".repeat(1000) + l.length) } catch {}\nreturn l'
    expect((await runScript(full, { memory: 16 })).error?.message).toMatch(/needs more than 16 MiB/)
    expect((await runScript("throw ''", { memory: 16 })).error?.message).toMatch(/^The script failed: /)
  })

  it('waits for the log instead of filling the memory', async () => {
    const run = await runScript('for (let i = 0; i < 20000; i++) console.log("line " + i)\nreturn "done"')
    const lines = run.log.filter((line) => line.message.startsWith('line '))
    expect(lines).toHaveLength(20_000)
    expect(lines.every((line, index) => line.message === `line ${index}`)).toBe(true)
    expect(run.outputs).toEqual({ result: 'done' })
  })

  it('waits for a slow log without that being time of its own', async () => {
    let asked = 0
    const logRoom = (): Promise<void> => {
      asked++
      return asked === 3 ? new Promise((done) => setTimeout(done, 1_500)) : Promise.resolve()
    }
    const run = await runScript('for (let i = 0; i < 1000; i++) console.log(i)\nreturn "done"', {
      logRoom,
      timeout: '1s',
    })
    expect(run.outputs).toEqual({ result: 'done' })
  })

  it('is stopped also while it waits for the log', async () => {
    const stop = new AbortController()
    let asked = 0
    const logRoom = (): Promise<void> => {
      asked++
      return asked < 3 ? Promise.resolve() : new Promise(() => undefined)
    }
    const task = runScript('for (;;) console.log("on and on")', { signal: stop.signal, logRoom })
    await vi.waitFor(() => expect(asked).toBe(3), { timeout: 60_000 })
    stop.abort(new Error('cancelled'))
    expect((await task).error).toMatchObject({ code: 'CANCELLED' })
  })

  it('stops at once when the run is stopped', async () => {
    const stop = new AbortController()
    setTimeout(() => stop.abort(new Error('cancelled')), 300)
    const run = await runScript('for (;;) {}', { signal: stop.signal })
    expect(run.error).toMatchObject({ code: 'CANCELLED' })
  })

  it('refuses a result that is too large', async () => {
    const run = await runScript('return "x".repeat(9 * 1024 * 1024)')
    expect(run.error).toMatchObject({ code: 'OUTPUTS_TOO_LARGE' })
  })
})
