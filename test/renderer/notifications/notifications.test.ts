import { describe, expect, it } from 'vitest'
import type { ServerEvent } from '../../../src/contract/events.ts'
import type { Notification } from '../../../src/contract/notifications.ts'
import { bodyOf, destinationOf, draftOf, missing } from '../../../src/renderer/features/notifications/channel-draft.ts'
import { claimNotification, notificationOf } from '../../../src/renderer/features/shell/desktop-notifications.ts'

const webhook: Notification = {
  id: 1,
  name: 'ops',
  type: 'webhook',
  config: { url: 'https://ops.example/hook', headers: { 'x-team': 'data' } },
  secrets: { signing_secret: { set: true } },
  on: ['failed'],
  job_ids: [3],
  enabled: 1,
  last_delivery: null,
  created_by: 1,
  created_at: '2026-03-01T08:00:00.000Z',
  updated_at: null,
}

describe('the form of a channel', () => {
  it('gives back what it was filled with: headers stay, a secret left empty is not sent', () => {
    expect(bodyOf(draftOf(webhook), webhook)).toEqual({
      name: 'ops',
      config: webhook.config,
      on: ['failed'],
      job_ids: [3],
      enabled: true,
    })
  })
  it('sends a secret that was typed under its name', () => {
    expect(bodyOf({ ...draftOf(webhook), secret: 'hush' }, webhook).secrets).toEqual({ signing_secret: 'hush' })
  })
  it('reads addresses with commas, semicolons and spaces', () => {
    const draft = { ...draftOf(null), type: 'email' as const, to: 'a@x.org, b@x.org;c@x.org' }
    expect(bodyOf(draft, null).config).toMatchObject({ to: ['a@x.org', 'b@x.org', 'c@x.org'] })
    expect(missing({ ...draft, name: 'team' }, null)).toEqual(['host', 'from'])
  })
  it('says where it leads', () => {
    expect(destinationOf(webhook)).toBe('https://ops.example/hook')
    expect(destinationOf({ ...webhook, type: 'desktop', config: {} })).toBeNull()
  })
})

describe('news of a desktop channel', () => {
  const event = (data: Record<string, unknown>, type: ServerEvent['type'] = 'notification.desktop'): ServerEvent => ({
    id: 9,
    type,
    at: '2026-03-01T08:00:00.000Z',
    entity_id: 1,
    data,
  })
  it('are read from their event, and lead nowhere outside the app', () => {
    expect(notificationOf(event({ title: 'Failed', body: 'Sales', path: '/job-runs/7' }), 'en')).toEqual({
      key: '2026-03-01T08:00:00.000Z 9',
      title: 'Failed',
      body: 'Sales',
      path: '/job-runs/7',
    })
    expect(notificationOf(event({ title: 'x', path: 'https://elsewhere.example' }), 'en')?.path).toBe('/')
    expect(notificationOf(event({ title: 'x', path: '//elsewhere.example' }), 'en')?.path).toBe('/')
    expect(notificationOf(event({}, 'job.changed'), 'en')).toBeNull()
  })
  it('are told in the language of the window, if they come in it', () => {
    const data = { title: 'Failed', body: 'Sales', translations: { de: { title: 'Fehlgeschlagen', body: 'Verkauf' } } }
    expect(notificationOf(event(data), 'de')).toMatchObject({ title: 'Fehlgeschlagen', body: 'Verkauf' })
    expect(notificationOf(event(data), 'en')).toMatchObject({ title: 'Failed', body: 'Sales' })
  })
  it('are shown by the first window that asks, and remembered for a while', () => {
    const kept = new Map<string, string>()
    const storage = {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => void kept.set(name, value),
    }
    expect(claimNotification('a', storage)).toBe(true)
    expect(claimNotification('a', storage)).toBe(false)
    for (let other = 0; other < 60; other += 1) claimNotification(`b${other}`, storage)
    expect([...kept.values()][0]?.split('\n')).toHaveLength(50)
  })
})
