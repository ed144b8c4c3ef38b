import type { Clock } from './clock.ts'

export const logLevels = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]

/** Structured logging: one JSON object a line, with level, time and msg. An `Error` among the fields becomes its stack. */
export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
  child(fields: object): Logger
}

export interface LoggerOptions {
  /** Asked anew each time: it may change while the server runs. */
  level: () => LogLevel
  clock: Clock
  write: (line: string) => void
}

export const writeToStderr = (line: string): void => void process.stderr.write(line)

export function createLogger(options: LoggerOptions, bound: object = {}): Logger {
  const log = (level: LogLevel) => (fields: object, message: string) => {
    if (logLevels.indexOf(level) < logLevels.indexOf(options.level())) return
    const line = { level, time: options.clock.iso(), ...bound, ...fields, msg: message }
    options.write(`${JSON.stringify(line, readable)}\n`)
  }
  return {
    debug: log('debug'),
    info: log('info'),
    warn: log('warn'),
    error: log('error'),
    child: (fields) => createLogger(options, { ...bound, ...fields }),
  }
}

function readable(_key: string, value: unknown): unknown {
  if (value instanceof Error) return value.stack ?? String(value)
  return typeof value === 'bigint' ? value.toString() : value
}
