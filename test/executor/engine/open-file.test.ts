// Files that stay what they were when they were checked. Only Linux can open them again by their descriptor.
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, readdirSync, readlinkSync, realpathSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { holdFile, newPlace, releaseFiles } from '../../../src/executor/engine/open-file.ts'
import { withoutFetched } from '../../../src/executor/engine/fetched.ts'
import { fileConnector, runTask, temporaryFolder } from './run-task.ts'

function hold(path: string, tempDir: string) {
  onTestFinished(() => releaseFiles(tempDir))
  return holdFile(path, { tempDir, place: newPlace(tempDir), linked: true, check: () => undefined })
}

/** What this process has open below a folder. */
function openBelow(folder: string): string[] {
  return readdirSync('/proc/self/fd')
    .flatMap((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`)
      } catch {
        return [] // the descriptor that was used for listing
      }
    })
    .filter((path) => path.startsWith(folder))
}

describe.skipIf(process.platform !== 'linux')('a file that is held open', () => {
  test('is read although its name leads to another one by now', async () => {
    const [folder, tempDir] = [realpathSync(temporaryFolder()), temporaryFolder()]
    writeFileSync(join(folder, 'a.csv'), 'mine')
    writeFileSync(join(folder, 'other.csv'), 'other')
    const { local } = await hold(join(folder, 'a.csv'), tempDir)
    renameSync(join(folder, 'a.csv'), join(folder, 'aside.csv'))
    symlinkSync(join(folder, 'other.csv'), join(folder, 'a.csv'))
    expect(readFileSync(local, 'utf8')).toBe('mine')
    expect(withoutFetched(`${local}, line 3`, tempDir)).toBe(`${join(folder, 'a.csv')}, line 3`)
    await expect(hold(join(folder, 'a.csv'), tempDir)).rejects.toMatchObject({ code: 'FILE_CHANGED' })
  })

  test('is refused where it has become a pipe, without waiting for who writes to it', async () => {
    const folder = realpathSync(temporaryFolder())
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(folder, 'a.csv')])
    await expect(hold(join(folder, 'a.csv'), temporaryFolder())).rejects.toMatchObject({ code: 'FILE_CHANGED' })
  })

  test('is copied where half of the allowed descriptors are in use', () => {
    const [folder, tempDir] = [realpathSync(temporaryFolder()), temporaryFolder()]
    for (let n = 0; n < 150; n++) writeFileSync(join(folder, `${n}.csv`), `${n}.csv`)
    const child = join(import.meta.dirname, 'children', 'hold-files.ts')
    const { stdout, stderr } = spawnSync(
      'sh',
      ['-c', `ulimit -n 200 && exec "$0" "$@"`, process.execPath, child, folder, tempDir],
      { encoding: 'utf8' },
    )
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual({ linked: 100, copied: 50, wrong: 0 })
  })

  test('is closed when the run has ended, well or not', async () => {
    const [folder, out] = [realpathSync(temporaryFolder()), realpathSync(temporaryFolder())]
    for (let n = 0; n < 20; n++) writeFileSync(join(folder, `${n}.csv`), 'a,b\n1,x\n')
    const run = async (steps: string) =>
      (
        await runTask(
          `etl: 1\nkind: pipeline\nname: p\nconnectors: {in: {type: file, access: read}, out: {type: file, access: write}}\nsource: {connector: in, files: {glob: "*.csv"}}\n${steps}target: {connector: out, file: {path: x.csv}}\n`,
          { in: fileConnector(folder), out: fileConnector(out) },
        )
      ).status
    expect(await run('')).toBe('success')
    expect(await run('steps: [{filter: "nothing = 1"}]\n')).toBe('failed')
    expect([...openBelow(folder), ...openBelow(out)]).toEqual([])
  })
})
