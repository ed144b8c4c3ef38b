import { exitCodes } from './output.ts'

/** Ctrl-C stops the work cleanly; a second one ends the process at once. */
export interface Interruption {
  readonly signal: AbortSignal
  /** Whether it was the user who stopped it. */
  interrupted(): boolean
  end(): void
}

export function listenForInterruption(print: (line: string) => void): Interruption {
  const controller = new AbortController()
  let interrupted = false
  const interrupt = (): void => {
    if (interrupted) process.exit(exitCodes.interrupted)
    interrupted = true
    print('Stopping… Press Ctrl+C again to exit immediately.')
    controller.abort()
  }
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  return {
    signal: controller.signal,
    interrupted: () => interrupted,
    end() {
      process.off('SIGINT', interrupt)
      process.off('SIGTERM', interrupt)
    },
  }
}
