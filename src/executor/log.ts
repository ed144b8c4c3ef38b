export type Fields = Record<string, unknown>

/** The executor's own log: JSON lines on stderr, as the server's. */
export interface Log {
  info(message: string, fields?: Fields): void
  warn(message: string, fields?: Fields): void
  error(message: string, fields?: Fields): void
}

export function jsonLog(write: (line: string) => void, fixed: Fields = {}): Log {
  const line = (level: string) => (message: string, fields?: Fields) =>
    write(`${JSON.stringify({ level, time: new Date().toISOString(), msg: message, ...fixed, ...fields })}\n`)
  return { info: line('info'), warn: line('warn'), error: line('error') }
}
