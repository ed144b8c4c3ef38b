import { asEngineError, type EngineError } from './errors.ts'

/** What must hold of a source once its rows were read to the end. */
export interface SourceCheck {
  /** Throws where it does not hold. */
  holds(): Promise<void>
  /** Looks closer at what could not be read, after a failure. The same error where there is no more to say. */
  explain?(error: EngineError): Promise<EngineError>
  /** Stops what the check has under way. */
  end?(): void
}

/** The checks of a run's source. A failed one means that rows may be missing, so nothing may be committed. */
export interface SourceChecks {
  add(check: SourceCheck): void
  /** Awaits the checks that are still open and throws the first failure. To be called after the last row and before the commit. */
  hold(): Promise<void>
  /** What is told of a file that cannot be read: that it is cut off says more than what is wrong with its last row. */
  explain(error: EngineError): Promise<EngineError>
  end(): void
}

export function createSourceChecks(): SourceChecks {
  const checks: SourceCheck[] = []
  let open: SourceCheck[] = []
  async function hold(): Promise<void> {
    const due = open
    open = []
    for (const check of due) {
      await check.holds().catch((thrown: unknown) => {
        const error = asEngineError(thrown)
        error.stage ??= 0
        throw error
      })
    }
  }
  return {
    add(check) {
      checks.push(check)
      open.push(check)
    },
    hold,
    async explain(error) {
      if (error.code !== 'FILE_UNREADABLE' && !error.vague) return error
      try {
        await hold()
      } catch (thrown) {
        return asEngineError(thrown)
      }
      let explained = error
      for (const check of checks)
        if (check.explain && (explained.vague || explained.csvRow)) explained = await check.explain(explained)
      return explained
    },
    end() {
      for (const check of checks) check.end?.()
    },
  }
}
