import { spawnSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

const run = (script: string) => spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })

// What it saves is measured: `npm run bench -- query-pages`.
test('V8 knows the option by which a heap may grow: one that it doesn’t know is told on stderr', () => {
  const { href } = pathToFileURL('src/process/heap-growth.ts')
  expect(run(`const { letHeapGrow } = await import('${href}'); letHeapGrow(300)`)).toMatchObject({
    status: 0,
    stderr: '',
  })
  const other = run(`(await import('node:v8')).setFlagsFromString('--heap-growing-percents=300')`)
  expect(other.stderr).toContain('heap-growing-percents')
})
