import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { superadminDetails } from '../../../src/server/features/server-config/server-config.rules.ts'
import { settingKeys, settings } from '../../../src/server/platform/config.settings.ts'

const page = readFileSync(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8')
const arguments_: Partial<Record<string, string>> = {
  'server.host': ' (`--host`)',
  'server.port': ' (`--port`)',
  'executors.local': ' (`--no-executor`)',
}

function row(key: (typeof settingKeys)[number]): string {
  const { env, value, unit, description, needsRestart } = settings[key]
  const standard = value === null || (Array.isArray(value) && value.length === 0) ? '–' : String(value)
  const shown = unit && standard !== '–' ? `${standard} ${unit}` : standard
  return `| \`${key}\` | \`${env}\`${arguments_[key] ?? ''} | ${shown} | ${needsRestart ? 'restart' : 'immediately'} | ${description} |`
}

test('docs/operations.md lists every setting as it is', () => {
  const rows = page.split('\n').filter((line) => /^\| `[a-z]+\.[a-z_]+` +\| `SVC_/.test(line))
  expect(rows.map((line) => line.replaceAll(/ +/g, ' '))).toEqual(settingKeys.map(row))
})

test.each(['a-key-that-an-admin-knows', null])('an admin does not change the key of executors to %j', (key) => {
  const sources = { argument: {}, environment: {}, file: {}, store: { 'executors.key': 'the-key-of-before' } }
  expect(superadminDetails({ 'executors.key': key }, sources)).toMatchObject([{ path: 'body.values["executors.key"]' }])
  expect(superadminDetails({ 'executors.key': 'the-key-of-before' }, sources)).toEqual([])
})
