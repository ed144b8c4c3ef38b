// Folders and files that are swapped for links while previews read them: they show their rows or refuse, in words.
import { DuckDBInstance } from '@duckdb/node-api'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { runCall } from '../../../src/executor/engine/calls.ts'
import { fileConnector, runTask, temporaryFolder } from './run-task.ts'

const rounds = Number(process.env.HEADGATE_SWAP_ROUNDS ?? 60)

const swappers: ChildProcess[] = []
// Before the folders are removed, which fails while they are swapped: what a test itself finishes with comes after that.
afterEach(async () => {
  for (const swapper of swappers.splice(0)) {
    if (swapper.exitCode !== null) continue
    swapper.kill('SIGKILL')
    await once(swapper, 'exit')
  }
})

/**
 * Each entry of `root` is itself and a link to the one outside, by turns: half of the time as fast as it can be, otherwise for up to
 * some milliseconds each. A loaded machine that only ever sees one of the two proves nothing.
 */
function swap(root: string, outside: string, entries: readonly string[]): ChildProcess {
  const script = `
    const { renameSync, symlinkSync, unlinkSync } = require('node:fs')
    const [root, outside, ...entries] = process.argv.slice(1)
    const cell = new Int32Array(new SharedArrayBuffer(4))
    const pause = () => { if (Math.random() < 0.5) Atomics.wait(cell, 0, 0, 5 * Math.random()) }
    for (;;) for (const entry of entries) try {
      renameSync(root + '/' + entry, root + '/.aside')
      symlinkSync(outside + '/' + entry, root + '/' + entry)
      pause()
      unlinkSync(root + '/' + entry)
      renameSync(root + '/.aside', root + '/' + entry)
      pause()
    } catch (error) { process.stderr.write(String(error)); process.exit(1) }`
  return spawn(process.execPath, ['-e', script, root, outside, ...entries], { stdio: 'ignore' })
}

/** Calls `look` for `least` rounds, and for up to twenty times as many until `enough` holds: what is met is up to chance. */
async function rounded(least: number, enough: () => boolean, look: (round: number) => Promise<void>): Promise<void> {
  for (let round = 0; round < least || (round < 20 * least && !enough()); round++) await look(round)
}

/** The same files in both, with another name in their rows. */
async function fill(root: string, name: string): Promise<void> {
  const folder = join(root, 'in')
  mkdirSync(folder)
  for (const file of ['a.json', 'b.json', 'c.jsonl'])
    writeFileSync(join(folder, file), `{"name":"${name}"}\n`.repeat(500))
  const csv = `id,name\n${`1,${name}\n`.repeat(500)}`
  writeFileSync(join(folder, 'd.csv'), csv)
  writeFileSync(join(folder, 'e.csv.gz'), gzipSync(csv))
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await connection.run(`COPY (SELECT '${name}' AS name FROM range(500)) TO '${join(folder, 'f.parquet')}'`)
  connection.closeSync()
  instance.closeSync()
  for (const file of ['d.csv', 'f.parquet']) copyFileSync(join(folder, file), join(root, file))
}

const globs = [
  'in/*.json',
  'in/a.json',
  'in/*.jsonl',
  '**/b.json',
  'in/d.csv',
  'in/*.csv.gz',
  'in/f.parquet',
  '**/*.csv',
  'd.csv',
  'f.parquet',
]

test(
  `${rounds} previews of folders and files that are swapped for links show their rows or say why not`,
  async () => {
    const [root, outside] = [temporaryFolder(), temporaryFolder()]
    await fill(root, 'mine')
    await fill(outside, 'stranger')
    const swapper = swap(root, outside, ['in', 'd.csv', 'f.parquet'])
    swappers.push(swapper)
    const codes: Record<string, number> = {}
    const strange: unknown[] = []
    const leaked: string[] = []
    const enough = () => Object.keys(codes).length > 1
    await rounded(rounds, enough, async (round) => {
      const glob = globs[round % globs.length]!
      const yaml_content = `etl: 1\nkind: pipeline\nname: p\nconnectors: {in: {type: file, access: read}, out: {type: file, access: write}}\nsource: {connector: in, files: {glob: "${glob}"}}\ntarget: {connector: out, file: {path: x.csv}}\n`
      const connectors = { in: fileConnector(root), out: fileConnector(temporaryFolder()) }
      const work = { kind: 'preview' as const, yaml_content, arguments: {}, connectors, step: null, limit: 10 }
      const said = await runCall(work, { signal: new AbortController().signal, tempDir: temporaryFolder() }).then(
        ({ value }) => value as { stages: { error?: { code: string; message: string } }[] }, // a preview's
        (error: Error & { code?: string }) => ({
          stages: [{ error: { code: error.code ?? 'INTERNAL_ERROR', message: error.message } }],
        }),
      )
      if (JSON.stringify(said).includes('stranger')) leaked.push(glob)
      const error = said.stages.find((stage) => stage.error)?.error
      codes[error?.code ?? 'ok'] = (codes[error?.code ?? 'ok'] ?? 0) + 1
      if (error?.code === 'INTERNAL_ERROR' || /[A-Z]{5,}: |Error:/.test(error?.message ?? '')) strange.push(error)
    })
    expect(strange).toEqual([])
    expect(leaked).toEqual([])
    // It was swapped while it was looked at, too.
    expect(enough()).toBe(true)
  },
  60_000 + 1_000 * rounds,
)

test(
  `${rounds / 2} files that are written to a folder that is swapped for a link never arrive outside`,
  async () => {
    const [root, outside, source] = [temporaryFolder(), temporaryFolder(), temporaryFolder()]
    for (const folder of [root, outside]) mkdirSync(join(folder, 'in'))
    writeFileSync(join(source, 'a.csv'), 'a\n1\n')
    const swapper = swap(root, outside, ['in'])
    swappers.push(swapper)
    const outcomes = new Set<string>()
    await rounded(
      rounds / 2,
      () => outcomes.has('success') && outcomes.size > 1,
      async (round) => {
        const path = `in/x${round}.${['csv', 'parquet', 'xlsx', 'json'][round % 4]}`
        const yaml = `etl: 1\nkind: pipeline\nname: p\nconnectors: {in: {type: file, access: read}, out: {type: file, access: write}}\nsource: {connector: in, files: {glob: a.csv}}\ntarget: {connector: out, file: {path: ${path}}}\n`
        const run = await runTask(yaml, { in: fileConnector(source), out: fileConnector(root) })
        outcomes.add(run.error?.code ?? run.status)
      },
    )
    expect(readdirSync(join(outside, 'in'))).toEqual([])
    expect([...outcomes]).not.toContain('INTERNAL_ERROR')
    expect(outcomes).toContain('success')
    expect(outcomes.size).toBeGreaterThan(1)
  },
  60_000 + 1_000 * rounds,
)
