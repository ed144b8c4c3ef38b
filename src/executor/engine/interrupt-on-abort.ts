const everyMs = 100

/**
 * Interrupts what runs on a connection of DuckDB once the signal is aborted, until the function that is returned is called. DuckDB forgets an
 * interrupt that comes just before a statement begins; one alone could leave a run that is cancelled at work for ever.
 */
export function interruptOnAbort(signal: AbortSignal, interrupt: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const begin = (): void => {
    interrupt()
    timer = setInterval(interrupt, everyMs)
  }
  signal.addEventListener('abort', begin, { once: true })
  return () => {
    signal.removeEventListener('abort', begin)
    clearInterval(timer)
  }
}
