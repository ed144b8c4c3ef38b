export interface Completion {
  label: string
  kind: 'key' | 'value' | 'slot' | 'argument' | 'field' | 'function' | 'column' | 'bind'
  /** One line, e.g. the type. */
  detail: string
  /** Markdown. */
  documentation: string
  /** Replaces the text from `from` to `to`. */
  insert: string
  from: number
  to: number
}

export interface CompletionContext {
  /** The user's connectors, offered as slots. */
  connectors?: readonly { name: string; type: string }[]
  /** Columns known from a preview, offered where a column is named. */
  columns?: readonly string[]
}
