import type { Statement } from 'better-sqlite3'
import type { AiUsageGroup } from '../../../contract/ai-usage.ts'
import type { Store } from '../../platform/store.ts'

/** Calls of a provider and their tokens, added up. */
export interface AiUse {
  calls: number
  failed_calls: number
  estimated_calls: number
  input_tokens: number
  output_tokens: number
}
/** Whose calls: of a day, as `2026-03-01` in UTC. */
export interface AiUseOf {
  day: string
  host: string
  model: string
  user_id: number
}
export interface AiUseRow extends AiUse {
  day: string | null
  /** Empty: the calls were made before hosts and models were kept. */
  host: string | null
  model: string
  user_id: number | null
  username: string | null
}

const sums = (['calls', 'failed_calls', 'estimated_calls', 'input_tokens', 'output_tokens'] as const)
  .map((name) => `coalesce(sum(${name}), 0) AS ${name}`)
  .join(', ')

export function createAiUsageStore({ sqlite }: Pick<Store, 'sqlite'>) {
  const add = sqlite.prepare<[AiUseOf & AiUse]>(`
    INSERT INTO ai_usage_by_day VALUES (@day, @host, @model, @user_id, @calls, @failed_calls, @estimated_calls, @input_tokens, @output_tokens)
    ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, failed_calls = failed_calls + excluded.failed_calls,
      estimated_calls = estimated_calls + excluded.estimated_calls,
      input_tokens = input_tokens + excluded.input_tokens, output_tokens = output_tokens + excluded.output_tokens`)
  const ofDay = sqlite.prepare<[string], AiUse>(`SELECT ${sums} FROM ai_usage_by_day WHERE day = ?`)
  const forget = sqlite.prepare<[string]>('DELETE FROM ai_usage_by_day WHERE day < ?')
  type Wanted = { from: string; to: string; userId: number | null; most: number }
  const statements = new Map<string, Statement<[Wanted], AiUseRow>>()

  return {
    add: (of: AiUseOf, use: AiUse): void => void add.run({ ...of, ...use }),
    // A sum without rows is a row.
    ofDay: (day: string): AiUse => ofDay.get(day)!,
    forget: (before: string): void => void forget.run(before),

    /** Sums of each group and model, from the first day through the last; `userId` null: of everyone. At most `most` of them. */
    grouped(by: readonly AiUsageGroup[], wanted: Wanted): AiUseRow[] {
      const has = { day: by.includes('day'), model: by.includes('model'), user: by.includes('user') }
      const key = JSON.stringify(has)
      const columns = [...(has.day ? ['day'] : []), ...(has.model ? ['host'] : []), ...(has.user ? ['user_id'] : [])]
      const of = (is: boolean, column: string, name = column) => `${is ? column : 'NULL'} AS ${name}`
      const statement =
        statements.get(key) ??
        sqlite.prepare<[Wanted], AiUseRow>(`
          SELECT ${of(has.day, 'day')}, ${of(has.model, 'host')}, model, ${of(has.user, 'user_id')},
            ${of(has.user, '(SELECT username FROM users WHERE users.id = user_id)', 'username')}, ${sums}
          FROM ai_usage_by_day WHERE day BETWEEN @from AND @to AND (@userId IS NULL OR user_id = @userId)
          GROUP BY ${[...columns, 'model'].join(', ')} LIMIT @most`)
      statements.set(key, statement)
      return statement.all(wanted)
    },
  }
}
