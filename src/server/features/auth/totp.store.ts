import type { Store } from '../../platform/store.ts'

/** Each of them is true when it did something: the state was the one that it moves from. */
export function createTotpStore({ sqlite }: Store) {
  const begin = sqlite.prepare<[{ id: number; sealed: string; before: string | null }]>(
    `UPDATE users SET totp_sealed = @sealed, totp_enabled = 0, totp_last_step = NULL
      WHERE id = @id AND totp_sealed IS @before`,
  )
  const useStep = sqlite.prepare<[{ id: number; step: number }]>(
    `UPDATE users SET totp_last_step = @step
      WHERE id = @id AND totp_sealed IS NOT NULL AND (totp_last_step IS NULL OR totp_last_step < @step)`,
  )
  const enable = sqlite.prepare<[{ id: number; at: string }]>(
    `UPDATE users SET totp_enabled = 1, revision = revision + 1, updated_at = @at
      WHERE id = @id AND totp_enabled = 0 AND totp_sealed IS NOT NULL`,
  )
  const remove = sqlite.prepare<[{ id: number; at: string }]>(
    `UPDATE users SET totp_enabled = 0, totp_sealed = NULL, totp_last_step = NULL, revision = revision + 1, updated_at = @at
      WHERE id = @id AND totp_sealed IS NOT NULL`,
  )
  const insertCode = sqlite.prepare<[number, string, string]>(
    'INSERT INTO recovery_codes (user_id, code_hash, created_at) VALUES (?, ?, ?)',
  )
  const useCode = sqlite.prepare<[string, number, string]>(
    'UPDATE recovery_codes SET used_at = ? WHERE user_id = ? AND code_hash = ? AND used_at IS NULL',
  )
  const left = sqlite.prepare<[number], { n: number }>(
    'SELECT count(*) AS n FROM recovery_codes WHERE user_id = ? AND used_at IS NULL',
  )
  const removeCodes = sqlite.prepare<[number]>('DELETE FROM recovery_codes WHERE user_id = ?')
  return {
    begin: (id: number, sealed: string, before: string | null) => begin.run({ id, sealed, before }).changes > 0,
    useStep: (id: number, step: number) => useStep.run({ id, step }).changes > 0,
    enable: (id: number, at: string) => enable.run({ id, at }).changes > 0,
    remove: (id: number, at: string) => remove.run({ id, at }).changes > 0,
    insertCode: (id: number, hash: string, at: string) => void insertCode.run(id, hash, at),
    useCode: (id: number, hash: string, at: string) => useCode.run(at, id, hash).changes > 0,
    codesLeft: (id: number) => left.get(id)?.n ?? 0,
    removeCodes: (id: number) => void removeCodes.run(id),
  }
}
