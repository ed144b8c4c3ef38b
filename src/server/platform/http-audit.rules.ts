import type { Operation } from '../../contract/operation.ts'
import type { OperationId } from '../../contract/operations.ts'

/** Whether calls of the operation are recorded: those that change something, and those that take much out. Executors are no people. */
export const isAudited = (op: Operation): boolean => op.audited ?? (op.method !== 'GET' && op.security !== 'executor')

const endsSessions: ReadonlySet<string> = new Set<OperationId>([
  'logout',
  'endSession',
  'endOtherSessions',
  'lockDesktop',
])

/** Written together with what others change in the same turn, their records with them (`Store.group`): another transaction would be empty. */
const grouped: ReadonlySet<string> = new Set<OperationId>([
  'triggerRun',
  'cancelRun',
  'retryRun',
  'rerunRejects',
  'pauseJobRun',
  'resumeJobRun',
  'cancelJobRun',
  'decideGate',
])

/**
 * Whether the change needs a transaction, so that its record is written with it. Not where a refusal must leave a trace: counts of failed
 * sign-ins would be rolled back with it.
 */
export const isAtomic = (op: Operation): boolean =>
  endsSessions.has(op.id) || (op.security === 'caller' && !op.path.startsWith('/api/auth/') && !grouped.has(op.id))

const secondFactor: ReadonlySet<string> = new Set<OperationId>([
  'setupTotp',
  'restartTotpSetup',
  'verifyTotp',
  'disableTotp',
  'renewRecoveryCodes',
])

/** About whoever calls, whose id no path says. */
export const isOwn = ({ path, id }: Operation): boolean => path.startsWith('/api/users/me') || secondFactor.has(id)

export interface AuditedEntity {
  /** Singular, as the fields of records name it: `job_template`. */
  entity: string
  /** Path parameter that says which one; null: the path names a collection, or there is only one. */
  parameter: string | null
}

/** The record that an operation is about: the first one that its path names. `/api/jobs/{id}/tasks/{key}/override` is about a job. */
export function entityOf(op: Pick<Operation, 'path' | 'method'>): AuditedEntity {
  const made = madeIn(op)
  if (made !== undefined) return { entity: singular(made), parameter: null }
  // `ai` is no record, its references are.
  const segments = op.path.replace('/ai/references', '/ai-references').split('/').slice(2)
  const at = segments.findIndex((segment) => segment.startsWith('{'))
  if (at < 0) return { entity: singular(segments[0] ?? ''), parameter: null }
  const parameter = segments[at]!.slice(1, -1)
  // `{taskId}` says itself what it is the id of.
  const own = /^(\w+)Id$/.exec(parameter)?.[1]
  return { entity: own ?? singular(segments[at - 1] ?? ''), parameter }
}

/** Of `POST /api/job-templates/{id}/jobs`: `jobs`. What it makes is one of those, and the template stays as it is. */
function madeIn({ path, method }: Pick<Operation, 'path' | 'method'>): string | undefined {
  const last = method === 'POST' ? /\}\/([\w-]+s)$/.exec(path)?.[1] : undefined
  // Those of a connector's data: what is recorded is about the connector.
  return last === 'changes' ? undefined : last
}

function singular(segment: string): string {
  const noun = segment.replaceAll('-', '_')
  return /[^s]s$/.test(noun) ? noun.slice(0, -1) : noun
}

/** Path of the GET that shows the record which an operation changes; undefined where the path names none. */
export function shownAt({ path, method }: Pick<Operation, 'path' | 'method'>): string | undefined {
  if (madeIn({ path, method }) !== undefined) return undefined
  const segments = path.split('/')
  const at = segments.findIndex((segment) => segment.startsWith('{'))
  if (at >= 0) return segments.slice(0, at + 1).join('/')
  // What a POST goes to is a collection.
  return method === 'POST' ? undefined : path
}
