import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { commandVariable } from '../../../src/executor/kinds/command-policy.ts'
import { isGone } from '../../support/processes.ts'
import { runTask, temporaryFolder, type FinishedRun, type RunOptions } from '../engine/run-task.ts'

beforeEach(() => vi.stubEnv(commandVariable, 'true'))
afterEach(() => vi.unstubAllEnvs())

function taskOf(command: unknown, more = ''): string {
  return `etl: 1\nkind: command\nname: program\ncommand: ${JSON.stringify(command)}\n${more}`
}

function runCommand(command: unknown, options: RunOptions & { more?: string } = {}): Promise<FinishedRun> {
  return runTask(
    taskOf(command, options.more ?? 'outputs: {code: "${{ result.exit_code }}", stdout: "${{ result.stdout }}"}'),
    {},
    options,
  )
}

const shell = (script: string): string[] => ['/bin/sh', '-c', script]

function linesOf(run: FinishedRun, level: string): string[] {
  return run.log.filter((line) => line.level === level && line.step === 'command').map((line) => line.message)
}

describe('command', () => {
  it('runs a program with its arguments as they are, logs what it says, and gives code and output', async () => {
    const run = await runCommand(['/bin/sh', '-c', 'printf "%s|" "$@"; echo; echo odd >&2', 'x', '$HOME *', 'a b', '"'])
    expect(run).toMatchObject({ status: 'success', outputs: { code: 0, stdout: '$HOME *|a b|"|\n' }, item_count: null })
    expect(linesOf(run, 'info')).toContain('$HOME *|a b|"|')
    expect(linesOf(run, 'warn')).toEqual(['odd'])
  })

  it('fails with code and last words, unless the code means success', async () => {
    const failed = await runCommand(shell('echo first >&2; echo "no such table" >&2; exit 3'))
    expect(failed.error).toMatchObject({
      code: 'COMMAND_FAILED',
      message: '`/bin/sh` ended with exit code 3: no such table',
      step: 'command',
    })
    const meant = await runCommand({ argv: shell('exit 3'), success_codes: [0, 3] })
    expect(meant).toMatchObject({ status: 'success', outputs: { code: 3 } })
    const killed = await runCommand(shell('kill -SEGV $$'))
    expect(killed.error?.message).toBe('`/bin/sh` was ended by signal SIGSEGV')
  })

  it('gives the program nothing of the environment but what every program needs, and what the task says', async () => {
    vi.stubEnv('SVC_EXECUTOR_KEY', 'secret')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret')
    const run = await runCommand({ argv: ['/usr/bin/env'], env: { REGION: 'eu', HOME: '/nowhere' } })
    const names = String(run.outputs?.['stdout'])
      .trim()
      .split('\n')
      .map((line) => line.split('=')[0])
    expect(String(run.outputs?.['stdout'])).not.toContain('secret')
    expect(names).toEqual(expect.arrayContaining(['PATH', 'TMPDIR', 'REGION']))
    expect(
      names.filter(
        (name) => !/^(PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_.*|TZ|TMPDIR|TEMP|TMP|REGION)$/.test(name ?? ''),
      ),
    ).toEqual([])
    expect(String(run.outputs?.['stdout'])).toContain('HOME=/nowhere\n')
  })

  it('gives it also those variables that shells and loaders take for their own', async () => {
    const given = {
      PWD: '/data',
      SHLVL: '7',
      IFS: 'x y',
      LD_LIBRARY_PATH: '/nowhere',
      LD_BIND_NOW: '',
      REGION: '"$HOME"',
    }
    const run = await runCommand({ argv: ['/usr/bin/env'], env: given })
    const lines = String(run.outputs?.['stdout']).trim().split('\n')
    expect(lines).toEqual(expect.arrayContaining(Object.entries(given).map(([name, value]) => `${name}=${value}`)))
    expect(lines.filter((line) => /^(OLDPWD|HEADGATE_)/.test(line))).toEqual([])
  })

  it('works in a folder of its own, and finds its input empty', async () => {
    const run = await runCommand(shell('pwd; echo x > file; cat'))
    expect(String(run.outputs?.['stdout'])).toMatch(/\/command\n$/)
  })

  it('is refused where the owner of the executor has not allowed it', async () => {
    vi.stubEnv(commandVariable, undefined)
    const run = await runCommand(['/bin/echo', 'x'])
    expect(run.error).toMatchObject({
      code: 'COMMAND_NOT_ALLOWED',
      message: 'This executor does not run programs',
      retryable: false,
    })
    expect(run.error?.hint).toContain(`${commandVariable}=true`)
  })

  it('runs only listed programs where there is a list, whatever leads to them', async () => {
    const link = join(temporaryFolder(), 'echo')
    symlinkSync(realpathSync('/bin/echo'), link)
    vi.stubEnv(commandVariable, '/bin/echo:/usr/bin/env')
    expect((await runCommand(['/bin/echo', 'x'])).status).toBe('success')
    expect((await runCommand([link, 'x'])).status).toBe('success')
    expect((await runCommand(['/bin/cat', '/etc/passwd'])).error).toMatchObject({ code: 'COMMAND_NOT_ALLOWED' })
    expect((await runCommand(['echo', 'x'])).error).toMatchObject({ code: 'COMMAND_NOT_ALLOWED' })
    expect((await runCommand({ argv: ['/bin/echo'], env: { LD_PRELOAD: '/tmp/x.so' } })).error).toMatchObject({
      code: 'COMMAND_NOT_ALLOWED',
      message: 'The variable `LD_PRELOAD` cannot be set on this executor',
    })
    vi.stubEnv(commandVariable, 'yes please')
    expect((await runCommand(['/bin/echo', 'x'])).error).toMatchObject({ code: 'COMMAND_NOT_ALLOWED' })
  })

  it('says why a program cannot be started', async () => {
    const folder = temporaryFolder()
    const file = (name: string, text: string, mode: number): string => {
      writeFileSync(join(folder, name), text)
      chmodSync(join(folder, name), mode)
      return join(folder, name)
    }
    const why = async (program: string): Promise<string | undefined> => (await runCommand([program])).error?.message
    expect(await why('/nowhere/program')).toBe('There is no program `/nowhere/program` on the executor’s machine')
    expect(await why('no-such-program-anywhere')).toContain('There is no program')
    expect(await why(file('plain', '#!/bin/sh\necho x', 0o644))).toContain('cannot be run: permission denied')
    expect(await why(file('lost', '#!/nowhere/interpreter\n', 0o755))).toContain(
      'the program named in its first line (`#!`) is missing',
    )
    const aliases = Array.from({ length: 90 }, () => '*x').join(', ')
    const long = await runTask(
      `etl: 1\nkind: command\nname: long\ncommand: [/bin/echo, &x "${'x'.repeat(32_000)}", ${aliases}]\n`,
      {},
    )
    expect(long.error?.message).toBe('The arguments of `/bin/echo` are too long')
  })

  it('takes no program for run that the system refuses, whatever code would mean success', async () => {
    const folder = temporaryFolder()
    const file = (name: string, bytes: Uint8Array | string): string => {
      writeFileSync(join(folder, name), bytes, { mode: 0o755 })
      return join(folder, name)
    }
    const sh = readFileSync('/bin/sh')
    const lost = Buffer.from(sh)
    const loader = lost.indexOf('/ld-linux')
    lost.write('/no', loader)
    const programs = [
      file('garbage', Uint8Array.from([0, 1, 2, 10, 255])),
      file('cut', sh.subarray(0, 100)),
      // The program is there, what loads it is not; where programs are linked otherwise the others have to do.
      ...(loader > 0 ? [file('no-loader', lost)] : []),
    ]
    for (const argv0 of programs) {
      const run = await runCommand({ argv: [argv0], success_codes: [0, 2, 126, 127] })
      expect(run.error).toMatchObject({
        code: 'COMMAND_FAILED',
        message: expect.stringMatching(`^\`${argv0}\` cannot be started: .`),
      })
    }
  })

  it('takes 126 and 127 for the program’s own where it says so itself, also a text without a first line', async () => {
    const text = join(temporaryFolder(), 'text')
    writeFileSync(text, 'exit 127\n', { mode: 0o755 })
    for (const [code, argv] of [
      [126, shell('exit 126')],
      [127, shell('exit 127')],
      [127, shell('/nowhere/program')],
      [127, [text]],
    ] as const) {
      expect(await runCommand({ argv, success_codes: [code] })).toMatchObject({ status: 'success', outputs: { code } })
    }
    expect((await runCommand(shell('exit 127'))).error?.message).toBe('`/bin/sh` ended with exit code 127')
  })

  it('hands the program no descriptor but the usual three', async () => {
    const run = await runCommand(
      shell('for fd in 3 4 5 6 7 8 9; do { true >&$fd; } 2>/dev/null && echo $fd; done; echo end'),
    )
    expect(run.outputs).toMatchObject({ stdout: 'end\n' })
  })

  it('takes output that is no UTF-8, has no line end, or a very long line', async () => {
    const odd = await runCommand(shell(String.raw`printf 'a\377b\303\251\nlast\303'`))
    expect(odd.outputs).toMatchObject({ stdout: 'a�bé\nlast�' })
    expect(linesOf(odd, 'info').slice(0, 2)).toEqual(['a�bé', 'last�'])
    const long = await runCommand(shell("head -c 100000 /dev/zero | tr '\\0' x; echo; printf 'end\\r\\n'"))
    const lines = linesOf(long, 'info')
    const whole = lines.slice(0, lines.indexOf('end')).join('')
    expect(whole === 'x'.repeat(100_000)).toBe(true)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100_000)
  })

  it('bears a flood of output: its memory stays flat, the log is capped, the end is kept', async () => {
    const before = process.memoryUsage().rss
    const run = await runCommand(
      shell("yes 0123456789012345678901234567890123456789012345678 | head -c 100000000; echo; echo 'the end 😀'"),
      {
        more: 'outputs: {size: "${{ $length(result.stdout) }}", end: "${{ $substring(result.stdout, -10) }}"}',
      },
    )
    expect(run.status).toBe('success')
    expect(run.metrics['bytes']).toBeGreaterThan(100_000_000)
    expect(run.outputs).toEqual({ size: expect.any(Number), end: 'the end 😀\n' })
    expect(Number(run.outputs?.['size'])).toBeLessThanOrEqual(65_536)
    const logged = linesOf(run, 'info').reduce((sum, line) => sum + line.length + 1, 0)
    expect(logged).toBeLessThan(22 * 1024 * 1024)
    expect(linesOf(run, 'info').some((line) => line.includes('the rest is not logged'))).toBe(true)
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024)
  })

  it('waits where the log has no room', async () => {
    let asked = 0
    let open: () => void = () => undefined
    const room = new Promise<void>((done) => (open = done))
    const logRoom = (): Promise<void> => {
      asked++
      return room
    }
    const task = runCommand(shell('yes | head -c 5000000'), { logRoom, more: '' })
    await vi.waitFor(() => expect(asked).toBe(1), { timeout: 60_000 })
    open()
    expect((await task).status).toBe('success')
    // Each time it asked, it had read no more than a pipe holds.
    expect(asked).toBeGreaterThan(5_000_000 / 65_536 - 1)
  })

  it('loses no output where the log is slower than the program', async () => {
    let asked = 0
    const logRoom = (): Promise<void> => {
      asked++
      return asked === 1 ? new Promise((done) => setTimeout(done, 3_500)) : Promise.resolve()
    }
    const run = await runCommand(shell('for i in 1 2 3 4 5 6; do yes $i | head -n 1000; done'), { logRoom, more: '' })
    expect(run.status).toBe('success')
    expect(linesOf(run, 'info').filter((line) => /^\d$/.test(line))).toHaveLength(6_000)
  })

  it('is stopped also while it waits for the log', async () => {
    const stop = new AbortController()
    let asked = 0
    const logRoom = (): Promise<void> => {
      asked++
      return new Promise(() => undefined)
    }
    const task = runCommand(shell('yes'), { logRoom, signal: stop.signal, more: '' })
    await vi.waitFor(() => expect(asked).toBe(1), { timeout: 60_000 })
    stop.abort(new Error('cancelled'))
    expect((await task).error).toMatchObject({ code: 'CANCELLED' })
  })

  it('ends the program and all that it has started when the run is stopped, also one that will not hear', async () => {
    const folder = temporaryFolder()
    const stop = new AbortController()
    const script = `trap '' TERM; sleep 600 & echo $! > ${folder}/below; echo $$ > ${folder}/pid.tmp; mv ${folder}/pid.tmp ${folder}/pid; while :; do sleep 1; done`
    const task = runCommand(shell(script), { signal: stop.signal })
    await vi.waitFor(() => expect(existsSync(join(folder, 'pid'))).toBe(true), { timeout: 60_000 })
    stop.abort(new Error('cancelled'))
    expect((await task).error).toMatchObject({ code: 'CANCELLED' })
    for (const file of ['pid', 'below']) {
      const pid = Number(readFileSync(join(folder, file), 'utf8'))
      await vi.waitFor(() => expect(isGone(pid)).toBe(true), { timeout: 60_000 })
    }
  })

  it('ends what the program has left running behind it', async () => {
    const folder = temporaryFolder()
    const run = await runCommand(shell(`sleep 600 & echo $! > ${folder}/below; echo done`))
    expect(run).toMatchObject({ status: 'success', outputs: { stdout: 'done\n' } })
    const pid = Number(readFileSync(join(folder, 'below'), 'utf8'))
    await vi.waitFor(() => expect(isGone(pid)).toBe(true), { timeout: 60_000 })
  })

  it('does not let the program outlive a worker that is killed', async () => {
    const folder = temporaryFolder()
    const yaml = taskOf(shell(`trap '' TERM HUP INT; echo $$ > ${folder}/pid; echo begun; while :; do sleep 1; done`))
    const worker = spawn(process.execPath, [resolve('test/executor/kinds/children/run-command.ts'), yaml, folder], {
      env: { ...process.env, [commandVariable]: 'true' },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let said = ''
    worker.stdout.on('data', (bytes: Buffer) => (said += bytes.toString()))
    await vi.waitFor(() => expect(said.split('\n')).toContain('begun'), { timeout: 60_000 })
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'))
    expect(isGone(pid)).toBe(false)
    worker.kill('SIGKILL')
    await vi.waitFor(() => expect(isGone(pid)).toBe(true), { timeout: 60_000 })
  })

  // The guard comes first, then the program.
  it.each([1, 2])('nor a worker that is killed in the moment it has started its process number %i', async (number) => {
    const yaml = taskOf(shell("trap '' TERM HUP INT; while :; do sleep 1; done"))
    const child = resolve('test/executor/kinds/children/die-at-start.ts')
    const worker = spawn(process.execPath, [child, yaml, temporaryFolder(), String(number)], {
      env: { ...process.env, [commandVariable]: 'true' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    worker.stdout.on('data', (bytes: Buffer) => (said += bytes.toString()))
    const [, signal] = (await once(worker, 'close')) as [null, string | null]
    const started = [...said.matchAll(/^started (\d+)$/gm)].map(([, pid]) => Number(pid))
    expect([signal, started.length]).toEqual(['SIGKILL', number])
    for (const pid of started) await vi.waitFor(() => expect(isGone(pid)).toBe(true), { timeout: 60_000 })
  })
})
