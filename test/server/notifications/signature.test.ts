import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { signatureOf } from '../../../src/server/features/notifications/webhook-signature.rules.ts'

/** The last example of this language on the page. */
function example(language: string): string {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/notifications.md'), 'utf8')
  const blocks = [...page.matchAll(/```(\w+)\n([\s\S]*?)```/g)].filter(([, of]) => of === language)
  const last = blocks.at(-1)?.[2]
  if (last === undefined) throw new Error(`The page has no example in ${language}`)
  return last
}

test('the examples of the documentation accept what is signed, and nothing else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-signature-'))
  try {
    const [body, other, secret] = ['{"job": "März & Co"}', '{"job": "other"}', "it's $ecret & long"]
    const header = signatureOf(secret, body, new Date())
    const script = join(folder, 'verify.ts')
    writeFileSync(script, example('ts'))
    // What the example exports.
    const { isAuthentic } = (await import(script)) as {
      isAuthentic(header: string, body: Buffer, secret: string, now?: number): boolean
    }
    expect(isAuthentic(header, Buffer.from(body), secret)).toBe(true)
    expect(isAuthentic(header, Buffer.from(other), secret)).toBe(false)
    expect(isAuthentic(header, Buffer.from(body), 'another')).toBe(false)
    expect(isAuthentic(header, Buffer.from(body), secret, Date.now() + 600_000)).toBe(false)
    expect(isAuthentic('nonsense', Buffer.from(body), secret)).toBe(false)

    const [, t = '', v1 = ''] = /^t=(\d+),v1=(\w+)$/.exec(header)!
    const shell = (text: string) => {
      const file = join(folder, 'body')
      writeFileSync(file, text)
      const env = { ...process.env, t, v1, body: file, SECRET: secret }
      return execFileSync('sh', ['-c', `${example('sh')}\ntrue`], { env, encoding: 'utf8' })
    }
    expect(shell(body)).toBe('authentic\n')
    expect(shell(other)).toBe('')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
