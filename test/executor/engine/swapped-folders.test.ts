// A folder that is swapped for a link while previews read it: they show its rows or refuse, in words.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runCall } from '../../../src/executor/engine/calls.ts'
import { fileConnector, temporaryFolder } from './run-task.ts'

const rounds = Number(process.env.HEADGATE_SWAP_ROUNDS ?? 60)

/** `root/in` is the folder and a link to the one outside, by turns, as fast as it can be. */
function swap(root: string, outside: string): ChildProcess {
  const script = `
    const { renameSync, symlinkSync, unlinkSync } = require('node:fs')
    const [root, outside] = process.argv.slice(1)
    for (;;) try {
      renameSync(root + '/in', root + '/aside')
      symlinkSync(outside, root + '/in')
      unlinkSync(root + '/in')
      renameSync(root + '/aside', root + '/in')
    } catch (error) { process.stderr.write(String(error)); process.exit(1) }`
  return spawn(process.execPath, ['-e', script, root, outside], { stdio: 'ignore' })
}

test(`${rounds} previews of a folder that is swapped for a link show its rows or say why not`, async () => {
  const [root, outside] = [temporaryFolder(), temporaryFolder()]
  mkdirSync(join(root, 'in'))
  for (const [folder, name] of [
    [join(root, 'in'), 'mine'],
    [outside, 'stranger'],
  ] as const)
    for (const file of ['a.json', 'b.json', 'c.jsonl'])
      writeFileSync(join(folder, file), `{"name":"${name}"}\n`.repeat(500))
  const swapper = swap(root, outside)
  onTestFinished(() => void swapper.kill('SIGKILL'))
  const codes: Record<string, number> = {}
  const strange: unknown[] = []
  const leaked: string[] = []
  for (let round = 0; round < rounds; round++) {
    // What DuckDB opens itself can't be checked afterwards.
    const glob = ['in/*.json', 'in/a.json', 'in/*.jsonl', '**/b.json'][round % 4]!
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
  }
  expect(strange).toEqual([])
  expect(leaked).toEqual([])
  // It was swapped while it was looked at, too.
  expect(Object.keys(codes).length).toBeGreaterThan(1)
}, 300_000)
