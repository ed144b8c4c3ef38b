import type { Store } from '../../platform/store.ts'

export interface AiUse {
  requests: number
  tokens: number
}

export function createAiUsageStore({ sqlite }: Store) {
  const add = sqlite.prepare<[string, number, number]>('INSERT INTO ai_usage (at, user_id, tokens) VALUES (?, ?, ?)')
  const since = sqlite.prepare<[string], AiUse>(
    'SELECT count(*) AS requests, coalesce(sum(tokens), 0) AS tokens FROM ai_usage WHERE at >= ?',
  )
  const forget = sqlite.prepare<[string]>('DELETE FROM ai_usage WHERE at < ?')
  return {
    /** What is older than the day that counts is of no use. */
    add(at: string, userId: number, tokens: number, dayStart: string): void {
      forget.run(dayStart)
      add.run(at, userId, tokens)
    },
    since: (at: string): AiUse => since.get(at) ?? { requests: 0, tokens: 0 },
  }
}
