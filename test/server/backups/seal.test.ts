import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkSeal, sealFile } from '../../../src/server/platform/backup-seal.ts'
import { withLimitedFiles } from '../../support/limited-file-size.ts'

test('a seal for which the disk has only part of the room is an error, not a backup that counts as verified', () => {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-seal-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'copy.db')
  writeFileSync(path, Buffer.alloc(64 * 1024 - 40, 7))
  const seal = `import { sealFile } from ${JSON.stringify(resolve('src/server/platform/backup-seal.ts'))}
    try { sealFile(${JSON.stringify(path)}); console.log('sealed') } catch (error) { console.log(error.code) }`
  expect(withLimitedFiles(64, seal)).toBe('EFBIG\n')
  expect(checkSeal(path)).not.toBe('intact')
  writeFileSync(path, Buffer.alloc(64 * 1024 - 40, 7))
  sealFile(path)
  expect(checkSeal(path)).toBe('intact')
})
