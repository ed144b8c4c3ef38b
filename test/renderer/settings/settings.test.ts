import { describe, expect, test } from 'vitest'
import type { ServerSetting } from '../../../src/contract/server-config.ts'
import {
  changed,
  isFixed,
  isSet,
  otherProblems,
  overtakenBy,
  problemOf,
  shownValue,
  valuesOf,
} from '../../../src/renderer/features/settings/config-draft.ts'
import { groupsOf, matches, settingMatches } from '../../../src/renderer/features/settings/settings-search.ts'

const setting = (key: string, more: Partial<ServerSetting> = {}): ServerSetting => ({
  key,
  title: 'Keep logs for',
  description: 'Days',
  type: 'integer',
  value: 30,
  next_value: 30,
  default: 90,
  source: 'file',
  env: 'SVC_RETENTION_LOGS_DAYS',
  nullable: false,
  needs_restart: false,
  restart_pending: false,
  ...more,
})
const logs = setting('retention.logs_days')

describe('a draft of settings', () => {
  test('holds what differs; back to what holds is no change', () => {
    const draft = changed({}, logs, { value: 31 })
    expect(valuesOf(draft)).toEqual({ 'retention.logs_days': 31 })
    expect(shownValue(logs, draft)).toBe(31)
    expect(changed(draft, logs, { value: 30 })).toEqual({})
  })

  test('what was saved meanwhile overtakes a change, unless it was looked at or both say the same', () => {
    const draft = changed({}, logs, { value: 31 })
    const bases = { [logs.key]: 30 }
    expect(overtakenBy([logs], draft, bases)).toEqual([])
    const theirs = { ...logs, next_value: 45 }
    expect(overtakenBy([theirs], draft, bases)).toEqual([theirs])
    expect(overtakenBy([theirs], draft, { [logs.key]: 45 })).toEqual([])
    expect(overtakenBy([{ ...logs, next_value: 31 }], draft, bases)).toEqual([])
    expect(overtakenBy([theirs], {}, bases)).toEqual([])
  })

  test('the default takes the setting out of the file, and is no change where it is not in it', () => {
    const draft = changed({}, logs, 'default')
    expect(valuesOf(draft)).toEqual({ 'retention.logs_days': null })
    expect(shownValue(logs, draft)).toBe(90)
    expect(changed({}, { ...logs, source: 'default' }, 'default')).toEqual({})
  })

  test('what waits for a restart is shown as it will be', () => {
    expect(shownValue({ ...logs, value: 30, next_value: 60 }, {})).toBe(60)
  })

  test('a secret that is being typed is a change even when it is empty', () => {
    const secret = setting('ai.api_key', { type: 'secret', value: { set: true }, next_value: { set: true } })
    expect(valuesOf(changed({}, secret, { value: '' }))).toEqual({ 'ai.api_key': '' })
    expect(isSet(secret.value)).toBe(true)
    expect(isSet(null)).toBe(false)
  })

  test('the environment and arguments cannot be changed here', () => {
    expect(isFixed({ ...logs, source: 'environment' })).toBe(true)
    expect(isFixed({ ...logs, source: 'argument' })).toBe(true)
    expect(isFixed(logs)).toBe(false)
  })

  test('what is wrong is told at its setting, the rest of the whole', () => {
    const details = [
      { path: 'body.values.retention.logs_days', message: 'out of range', code: 'setting_invalid', params: {} },
      { path: 'config.yaml', message: 'broken', code: 'config_mistake_is', params: {} },
    ]
    expect(problemOf(details, 'retention.logs_days')).toBe('out of range')
    expect(problemOf(details, 'logs_days.other')).toBeUndefined()
    expect(otherProblems(details, ['retention.logs_days'])).toEqual([details[1]])
  })
})

describe('finding settings', () => {
  test('by every word, in any text of theirs', () => {
    expect(settingMatches(logs, 'LOGS keep')).toBe(true)
    expect(settingMatches(logs, 'svc_retention')).toBe(true)
    expect(settingMatches(logs, 'logs backup')).toBe(false)
    expect(matches('a b', ['b', undefined, 'a'])).toBe(true)
  })

  test('in groups by the part before the dot, in the order of the server', () => {
    const groups = groupsOf([setting('b.one'), setting('a.one'), setting('b.two')])
    expect(groups.map(({ name, settings }) => [name, settings.length])).toEqual([
      ['b', 2],
      ['a', 1],
    ])
  })
})
