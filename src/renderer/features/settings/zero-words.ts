/** Settings of which 0 is no number but its absence, and the word for it. */
const words = {
  'auth.desktop_lock_minutes': 'off',
  'backup.every_hours': 'off',
  'ai.daily_tokens': 'noLimit',
  'retention.runs_days': 'forever',
  'retention.runs_max': 'noLimit',
  'retention.logs_days': 'likeRuns',
  'retention.logs_mb': 'noLimit',
  'retention.queries_days': 'forever',
  'retention.queries_max': 'noLimit',
} as const

const byKey: Readonly<Partial<Record<string, (typeof words)[keyof typeof words]>>> = words

export const zeroWord = (key: string) => byKey[key]

/** The word for a setting without a value: a folder is then one that the server chooses. */
export const emptyWord = (key: string) => (key.endsWith('.folder') ? 'defaultFolder' : 'none')
