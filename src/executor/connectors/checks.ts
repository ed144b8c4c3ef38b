import type { ConnectorCheck, ConnectorTestResult } from '../../contract/connectors.ts'
import { asEngineError, codeOf } from '../engine/errors.ts'
import { inOne, reasonParams } from '../../language/message.ts'

export interface Check {
  name: string
  /** May give a `Remark` on a check that went well. */
  run: () => unknown
}

/** Something to know though the check went well. */
export interface Remark {
  remark: string
}

function isRemark(value: unknown): value is Remark {
  return typeof value === 'object' && value !== null && 'remark' in value && typeof value.remark === 'string'
}

/** Runs checks in order, up to the first that fails: its friendly summary, and the raw error with class and code. */
export async function runChecks(checks: readonly Check[]): Promise<ConnectorTestResult> {
  const results: ConnectorCheck[] = []
  for (const { name, run } of checks) {
    const began = performance.now()
    const took = (): number => Math.round((performance.now() - began) * 10) / 10
    try {
      const remark = await run()
      results.push({ name, ok: true, ...(isRemark(remark) ? { message: remark.remark } : {}), duration_ms: took() })
    } catch (thrown) {
      results.push({ name, ok: false, ...failure(thrown), duration_ms: took() })
      return { ok: false, checks: results }
    }
  }
  return { ok: true, checks: results }
}

function failure(thrown: unknown): Pick<ConnectorCheck, 'message' | 'params' | 'error'> {
  const friendly = asEngineError(thrown)
  const raw = friendly.cause instanceof Error ? friendly.cause : friendly
  const code = codeOf(raw)
  return {
    message: friendly.hint === undefined ? friendly.message : inOne(friendly.message, friendly.hint),
    params: { ...reasonParams(friendly.reason, friendly.fix) },
    // pg calls its class `error`
    error: {
      name: raw.name === 'error' ? 'DatabaseError' : raw.name,
      message: raw.message,
      ...(code === undefined ? {} : { code }),
    },
  }
}
