/** Imports go one after the other: each sees what the one before it has made. */
export function createImportQueue() {
  let last: Promise<void> = Promise.resolve()
  return {
    /** Resolves with the function that lets the next one go; rejects when the signal is aborted first. */
    async turn(signal: AbortSignal): Promise<() => void> {
      const before = last
      const { promise, resolve } = Promise.withResolvers<void>()
      last = before.then(() => promise)
      try {
        await unlessAborted(before, signal)
        return resolve
      } catch (error) {
        resolve()
        throw error
      }
    },
  }
}

async function unlessAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  // What aborts it is an Error.
  const abort = () => aborted.reject(signal.reason as Error)
  signal.addEventListener('abort', abort, { once: true })
  try {
    await Promise.race([promise, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
