import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createSecretsService } from '../../../src/server/features/secrets/secrets.service.ts'
import type { KeyKeeper } from '../../../src/server/platform/key-keeper.ts'
import { type SecretsWorld, secretsFolder } from './secrets-world.ts'

test('a new key encrypts every secret anew; the old one is removed', async () => {
  const folder = secretsFolder()
  const { connector, rotate, sealedOf, secretsOf, state } = await folder.start()
  const { id } = await connector('warehouse', { password: 'p' })
  const [before, sealed, file] = [await state(), sealedOf('warehouse'), readFileSync(folder.keyFile, 'utf8')]
  expect(before).toMatchObject({ key_place: 'file', sealed: 1, lost: [], remedy: null })
  const after = await rotate()
  expect(after).toEqual({ ...before, key_id: expect.not.stringMatching(before.key_id) as string })
  expect(sealedOf('warehouse')).not.toBe(sealed)
  expect(sealedOf('warehouse')).toContain(after.key_id)
  expect(secretsOf(id)).toEqual({ password: 'p' })
  expect(readFileSync(folder.keyFile, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/)
  expect(readFileSync(folder.keyFile, 'utf8')).not.toBe(file)
  // Nor does it stand anywhere in the files of the store any more.
  const files = ['headgate.db', 'headgate.db-wal'].map((name) => join(folder.dataDir, name)).filter(existsSync)
  expect(files.filter((one) => readFileSync(one).includes(sealed!))).toEqual([])
})

test('what was sealed before keys had ids is opened and sealed anew', async () => {
  const folder = secretsFolder()
  const world = await folder.start()
  const { id } = await world.connector('old', { password: 'kept' })
  const v1 = `v1.${world.sealedOf('old')!.split('.')[2]!}`
  world.server.platform.store.sqlite.prepare("UPDATE connectors SET sealed_secrets = ? WHERE name = 'old'").run(v1)
  expect(world.secretsOf(id)).toEqual({ password: 'kept' })
  const { key_id } = await world.rotate()
  expect(world.sealedOf('old')).toMatch(new RegExp(`^v2\\.${key_id}\\.`))
  expect(world.secretsOf(id)).toEqual({ password: 'kept' })
})

/** The service of a server whose keys are written in another way. */
function serviceWith({ server: { platform } }: SecretsWorld, replace: KeyKeeper['replace']) {
  // Everything else is the platform's own.
  const keys = Object.create(platform.keys, { replace: { value: replace } }) as KeyKeeper
  return createSecretsService({ ...platform, keys })
}

test('two at once make one new key', async () => {
  const world = await secretsFolder().start()
  const service = serviceWith(world, async (keys) => {
    await new Promise(setImmediate)
    await world.server.platform.keys.replace(keys)
  })
  const [one, two] = await Promise.all([service.rotate(), service.rotate()])
  expect(one.key_id).toBe(two.key_id)
})

test('a key that cannot be written leaves everything readable, whichever step fails, and the next start ends what began', async () => {
  const folder = secretsFolder()
  const world = await folder.start()
  const { id } = await world.connector('warehouse', { password: 'p' })
  for (const failing of [1, 2]) {
    let writes = 0
    const service = serviceWith(world, (next) =>
      ++writes === failing ? Promise.reject(new Error('disk full')) : world.server.platform.keys.replace(next),
    )
    await expect(service.rotate()).rejects.toThrow(/All secrets can still be read/)
    expect(world.secretsOf(id)).toEqual({ password: 'p' })
    expect((await world.state()).lost).toEqual([])
  }
  expect(readFileSync(folder.keyFile, 'utf8')).toMatch(/^\w{64}\n\w{64} retiring\n$/)
  const next = await folder.start()
  expect(next.secretsOf(id)).toEqual({ password: 'p' })
  expect(readFileSync(folder.keyFile, 'utf8')).toMatch(/^\w{64}\n$/)
})

test('a rotation that ended before anything was sealed anew is ended by the next start', async () => {
  const folder = secretsFolder()
  const world = await folder.start()
  const { id } = await world.connector('warehouse', { password: 'p' })
  await folder.stop()
  const old = readFileSync(folder.keyFile, 'utf8').trim()
  writeFileSync(folder.keyFile, `${'ab'.repeat(32)}\n${old} retiring\n`)
  const next = await folder.start()
  expect(next.secretsOf(id)).toEqual({ password: 'p' })
  expect(next.sealedOf('warehouse')).toContain((await next.state()).key_id)
  expect(readFileSync(folder.keyFile, 'utf8')).toBe(`${'ab'.repeat(32)}\n`)
})
