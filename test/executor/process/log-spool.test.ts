import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { withLimitedFiles } from '../../support/limited-file-size.ts'

test('a line for which the disk has only part of the room is refused, and every line before it is given back', () => {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-spool-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const work = `import { LogSpool } from ${JSON.stringify(resolve('src/executor/workers/log-spool.ts'))}
    const spool = new LogSpool(${JSON.stringify(join(folder, 'log.spool'))})
    const line = (n) => ({ at: '', level: 'info', step: null, message: n + 'x'.repeat(1000) })
    let kept = 0
    let refused = null
    try { for (;;) { spool.append(line(kept)); kept++ } } catch (error) { refused = error.code }
    const taken = []
    while (!spool.empty) taken.push(...spool.take())
    const inOrder = taken.every(({ message }, n) => message.startsWith(n + 'x'))
    console.log(JSON.stringify({ refused, lost: kept - taken.length, inOrder, many: kept > 500 }))`
  expect(JSON.parse(withLimitedFiles(1024, work))).toEqual({ refused: 'EFBIG', lost: 0, inOrder: true, many: true })
})
