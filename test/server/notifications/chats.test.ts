import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { ErrorBody } from '../../../src/contract/errors.ts'
import { startHookWorld } from './hook-world.ts'
import { channelName, endOf, tell } from './notification-world.ts'

const { server, admin, hook, settled, create, switchOff, reset, close } = await startHookWorld()
beforeEach(reset)
afterAll(close)

const hostile = endOf({
  job_name: 'nightly <!channel> & [link](https://evil.example)',
  failed_task_keys: ['load'],
  error_message: '<@U123> *bold* `code`',
})
async function received(format: 'slack' | 'teams'): Promise<unknown> {
  const channel = await create({ config: { format }, secrets: { url: hook.url } })
  tell(server, hostile)
  await settled()
  await switchOff(channel)
  expect(hook.received).toHaveLength(1)
  return hook.bodies()[0]
}

describe('a chat', () => {
  test('Slack gets blocks in which nothing calls anybody', async () => {
    const body = (await received('slack')) as { text: string; blocks: { type: string; fields?: { text: string }[] }[] }
    expect(body.text).toBe('nightly &lt;!channel&gt; &amp; [link](https://evil.example) failed')
    expect(body.blocks.map(({ type }) => type)).toEqual(['header', 'section'])
    const fields = body.blocks[1]!.fields!.map(({ text }) => text)
    expect(fields).toContain('*Failed tasks*\nload')
    expect(fields).toContain('*Error*\n&lt;@U123&gt; *bold* `code`')
    expect(fields.length).toBeLessThanOrEqual(10)
  })

  test('Teams gets an Adaptive Card in which names are no links', async () => {
    const body = await received('teams')
    expect(body).toMatchObject({
      type: 'message',
      attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content: { type: 'AdaptiveCard' } }],
    })
    const text = JSON.stringify(body)
    expect(text).toContain(JSON.stringify('\\[link\\]\\(https://evil.example\\)').slice(1, -1))
    expect(text).not.toContain('[link](')
  })

  test('its address is a secret: it is asked for as one, and shown to nobody', async () => {
    const refused = async (more: object) => {
      const body = { name: channelName(), type: 'webhook', ...more }
      return ((await admin.post('/api/notifications', body)).body as ErrorBody).details?.map(({ path }) => path)
    }
    expect(await refused({ config: { format: 'slack', url: hook.url } })).toEqual(['body.config.url'])
    expect(await refused({ config: { format: 'slack' } })).toEqual(['body.config.url'])
    expect(await refused({ config: { format: 'slack' }, secrets: { url: 'ftp://x' } })).toEqual(['body.secrets.url'])
    expect(await refused({ config: { url: hook.url }, secrets: { url: hook.url } })).toEqual(['body.secrets.url'])
    const { id } = await create({ config: { format: 'slack' }, secrets: { url: `${hook.url}/T0/B0/secret` } })
    const shown = await admin.get(`/api/notifications/${id}`)
    expect(shown.body).toMatchObject({ config: { format: 'slack' }, secrets: { url: { set: true } } })
    expect(JSON.stringify(shown.body)).not.toContain('T0/B0')
  })
})
