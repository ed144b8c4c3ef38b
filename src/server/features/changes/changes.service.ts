/**
 * Changes of data in connected systems: an executor says what would be sent and what it touches, a person confirms exactly that, and an
 * executor sends it. Confirmations live in memory: a server that restarts knows none, and nothing is sent.
 */
import type { ChangesReport, ChangesResult, PlannedChanges } from '../../../contract/changes.ts'
import { msg } from '../../../contract/messages.ts'
import type { Caller } from '../../platform/caller.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal, conflict, invalid } from '../../platform/refusal.ts'
import type { CallsService } from '../calls/calls.service.ts'
import type { ConnectorsService } from '../connectors/connectors.service.ts'
import type { QueryHistoryService } from '../query-history/query-history.service.ts'
import { type ChangesBody, auditedOf, conflictDetails, digestOf, plannedOf, textOf } from './changes.rules.ts'

interface Confirmation {
  readonly userId: number
  readonly connectorId: number
  /** The connector as it was reviewed: another address is another system. */
  readonly etag: string
  /** Of what was asked for. */
  readonly asked: string
  /** Of the statements, values, and counts that were shown. */
  readonly reviewed: string
  readonly audited: string
  /** The statements, for the history of the user. */
  readonly text: string
  readonly expires: number
}

/** Where a request comes from, for the audit log. */
export interface Origin {
  address: string
  user_agent: string | null
  request_id: string
}

const lifeMs = 10 * 60_000
/** That one user can hold; the oldest go first. */
const mostOfUser = 50
const defaultSeconds = 60

interface Dependencies {
  connectors: Pick<ConnectorsService, 'get' | 'etag' | 'opened'>
  calls: Pick<CallsService, 'call'>
  history: Pick<QueryHistoryService, 'keep'>
}

export function createChangesService(
  { ids, clock, audit, store }: Platform,
  { connectors, calls, history }: Dependencies,
) {
  const confirmations = new Map<string, Confirmation>()

  function keep(confirmation: Confirmation): string {
    const now = clock.now().getTime()
    for (const [token, { expires }] of confirmations) if (expires <= now) confirmations.delete(token)
    const own = [...confirmations].filter(([, { userId }]) => userId === confirmation.userId)
    for (const [token] of own.slice(0, Math.max(0, own.length - mostOfUser + 1))) confirmations.delete(token)
    const token = ids.token(24)
    confirmations.set(token, confirmation)
    return token
  }

  /** Takes the confirmation away: of two that come at once, one finds it. */
  function redeem(connectorId: number, body: ChangesBody, asked: string, caller: Caller): Confirmation {
    const token = body.confirmation ?? ''
    const found = confirmations.get(token)
    // Another's is as gone as one that never was.
    if (
      !found ||
      found.userId !== caller.user_id ||
      found.connectorId !== connectorId ||
      found.expires <= clock.now().getTime()
    )
      conflict(msg('changes_confirmation_gone'))
    if (found.asked !== asked) conflict(msg('changes_confirmation_differs'))
    if (found.etag !== connectors.etag(connectorId)) {
      confirmations.delete(token)
      conflict(msg('changes_connector_changed'))
    }
    const { name, environment } = connectors.get(connectorId)
    if (environment === 'production' && body.connector_name !== name)
      invalid([{ path: 'body.connector_name', ...msg('changes_name_required') }])
    confirmations.delete(token)
    return found
  }

  /** Resolves when the record is on disk: nothing is sent before, whatever becomes of it then. */
  function record(connectorId: number, audited: string, caller: Caller, origin: Origin): Promise<void> {
    audit.append({
      actor: caller.kind,
      user_id: caller.user_id,
      username: caller.username,
      role: caller.role,
      session_id: caller.session_id ?? null,
      api_key_id: caller.api_key_id ?? null,
      ...origin,
      operation: 'sendingChanges',
      method: null,
      path: null,
      entity: 'connector',
      entity_id: connectorId,
      entity_name: connectors.get(connectorId).name,
      outcome: 'ok',
      status: 0,
      error: null,
      before_digest: null,
      after_digest: null,
      detail: audited,
    })
    return new Promise((committed) => store.afterCommit(committed))
  }

  async function write(connectorId: number, changes: PlannedChanges, reviewed: string, timeoutMs: number) {
    const connector = connectors.opened(connectorId)
    let taken = false
    try {
      // Whoever has confirmed may leave: what was sent is not called back half-way.
      const work = { kind: 'write_changes', connector, changes, reviewed } as const
      return await calls.call(work, timeoutMs, undefined, { onTaken: () => void (taken = true) })
    } catch (error) {
      // The executor itself says that nothing was written, or nobody had it yet.
      if (!taken || (error instanceof Refusal && definite.has(error.code))) throw error
      throw new Refusal('TIMEOUT', msg('changes_outcome_unknown'))
    }
  }

  return {
    /** Without a confirmation a review, with it the changes themselves. */
    async change(
      connectorId: number,
      body: ChangesBody,
      caller: Caller,
      { signal, origin }: { signal: AbortSignal; origin: Origin },
    ): Promise<ChangesResult> {
      const began = performance.now()
      const changes = plannedOf(body)
      if (Array.isArray(changes)) invalid(changes)
      const asked = digestOf(changes)
      const timeoutMs = (body.timeout_s ?? defaultSeconds) * 1000
      const result = (report: ChangesReport, confirmation: string | null): ChangesResult => ({
        state: confirmation === null ? 'written' : 'review',
        statements: report.statements,
        rows: report.rows,
        changed: report.changed,
        transaction: report.transaction,
        confirmation,
        expires_at: confirmation === null ? null : new Date(clock.now().getTime() + lifeMs).toISOString(),
        connector_name_required: connectors.get(connectorId).environment === 'production',
        duration_ms: Math.round(performance.now() - began),
      })
      if (body.confirmation !== undefined) {
        // Refuses an archived one before the confirmation is used up.
        connectors.opened(connectorId)
        const { reviewed, audited, text } = redeem(connectorId, body, asked, caller)
        await record(connectorId, audited, caller, origin)
        const entry = { user_id: caller.user_id, connector_id: connectorId, kind: 'change', text } as const
        const send = async () => certain(await write(connectorId, changes, reviewed, timeoutMs))
        const kept = await history.keep(entry, ({ changed }) => changed, send)
        return result(kept.result, null)
      }
      const etag = connectors.etag(connectorId)
      const connector = connectors.opened(connectorId)
      const work = { kind: 'review_changes', connector, changes } as const
      const report = certain(await calls.call(work, timeoutMs, signal, { userId: caller.user_id }))
      const token = keep({
        userId: caller.user_id,
        connectorId,
        etag,
        asked,
        reviewed: report.digest,
        audited: auditedOf(report),
        text: textOf(report),
        expires: clock.now().getTime() + lifeMs,
      })
      return result(report, token)
    },
  }
}
export type ChangesService = ReturnType<typeof createChangesService>

/** Errors that an executor gives only where it knows that nothing was written. */
const definite: ReadonlySet<string> = new Set(['VALIDATION_ERROR', 'NOT_FOUND', 'CONNECTOR_ERROR'])

/** The report of what was reviewed or written; everything else is refused as what it is. */
function certain(report: ChangesReport): ChangesReport {
  const { outcome, statements, problem, conflicts } = report
  if (outcome === 'reviewed' || outcome === 'written') return report
  if (outcome === 'conflict') conflict(msg('changes_conflict'), conflictDetails(report))
  if (outcome === 'unknown') throw new Refusal('TIMEOUT', msg('changes_outcome_unknown'))
  const why = problem ?? conflictDetails({ conflicts })[0]?.message ?? ''
  const written = statements.filter(({ changed }) => changed !== null).length
  throw new Refusal('CONNECTOR_ERROR', msg('changes_partly', { written, all: statements.length, problem: why }))
}
