import { listFiles } from '../connectors/stores/resources.ts'
import { runChanges } from '../connectors/changes.ts'
import { explainQuery } from '../connectors/explain.ts'
import { profileColumn } from '../connectors/profile.ts'
import { connectorRunner } from '../connectors/registry.ts'
import { runMessage } from '../../contract/run-messages.ts'
import { inOne, reasonParams, type Message } from '../../language/message.ts'
import type { CallError, CallIo, CallResult, CallWork } from '../worker-protocol.ts'
import { asEngineError, codeOf, type EngineError, type EngineErrorCode } from './errors.ts'
import { releaseFiles } from './open-file.ts'
import { fixOfQuery } from './query-fixes.ts'
import { mistakesInSql, prepareTask, readTask } from './prepare-task.ts'
import { previewTask } from './preview.ts'

interface Logging {
  reason: Message
  fix?: Message | undefined
}

/** A failure of a call that its caller is to read. */
export class CallFailure extends Error {
  readonly code: CallError['code']
  readonly reason: CallError['reason']
  readonly details: NonNullable<CallError['details']>

  constructor(code: CallError['code'], { reason, fix }: Logging, details: NonNullable<CallError['details']> = []) {
    super(fix ? inOne(reason.message, fix.message) : reason.message)
    this.name = 'CallFailure'
    this.code = code
    this.reason = { code: reason.code, params: { ...reason.params, ...(fix && { fix }) } }
    this.details = details
  }
}

/** Interactive work: preview of a task, test, resources and files of a connector. Throws `CallFailure`. */
export async function runCall(work: CallWork, io: CallIo): Promise<CallResult> {
  try {
    switch (work.kind) {
      case 'preview':
        return { kind: 'preview', value: await preview(work, io) }
      case 'check_sql':
        return { kind: 'check_sql', value: { diagnostics: await mistakesInSql(work.yaml_content) } }
      case 'test':
        return { kind: 'test', value: await connectorRunner(work.connector).test(work.connector, io) }
      case 'list_resources':
        return {
          kind: 'list_resources',
          value: await connectorRunner(work.connector).listResources(work.connector, work.q, io),
        }
      case 'get_resource':
        return {
          kind: 'get_resource',
          value: await connectorRunner(work.connector).getResource(work.connector, work.name, io),
        }
      case 'list_files':
        return { kind: 'list_files', value: await listFiles(work.connector, work.glob, work.limit, io) }
      case 'explain':
        return { kind: 'explain', value: await explainQuery(work, io) }
      case 'profile':
        return { kind: 'profile', value: await profileColumn(work, io) }
      case 'review_changes':
        return { kind: 'review_changes', value: await runChanges({ ...work, reviewed: null }, io) }
      case 'write_changes':
        return { kind: 'write_changes', value: await runChanges(work, io) }
    }
  } catch (thrown) {
    throw thrown instanceof CallFailure ? thrown : callFailure(asEngineError(thrown), work.kind)
  } finally {
    await releaseFiles(io.tempDir)
  }
}

function preview(work: Extract<CallWork, { kind: 'preview' }>, io: CallIo): ReturnType<typeof previewTask> {
  const run = { id: 0, attempt: 1, logical_date: new Date().toISOString() }
  const { task, cursor } = prepareTask(readTask(work.yaml_content, work.arguments, run))
  return previewTask({ task, cursor, connectors: work.connectors, step: work.step, limit: work.limit, io })
}

const validation: ReadonlySet<EngineErrorCode> = new Set([
  'TASK_INVALID',
  'ARGUMENT_INVALID',
  'EXPRESSION_FAILED',
  'CONNECTOR_MISSING',
  'CONNECTOR_UNSUITABLE',
])

/** Mistakes of a query that somebody has just written. */
const ofQuery: ReadonlySet<EngineErrorCode> = new Set([
  'SQL_INVALID',
  'SQL_NOT_ALLOWED',
  'QUERY_INVALID',
  'TABLE_NOT_FOUND',
  'COLUMN_NOT_FOUND',
  'PATH_OUTSIDE_FOLDER',
])

/** Mistakes of changes that somebody asks for. */
const ofChange: ReadonlySet<EngineErrorCode> = new Set(['VALUE_INVALID', 'CONNECTOR_READ_ONLY'])

/** `place`: of the mistake in the query. */
export function callFailure(
  error: EngineError,
  kind: CallWork['kind'] | 'result',
  place?: { line: number; column: number },
): CallFailure {
  if (error.code === 'INTERNAL_ERROR') return new CallFailure('INTERNAL_ERROR', { reason: error.reason })
  if (error.code === 'CANCELLED') return new CallFailure('TIMEOUT', { reason: runMessage('call_stopped') })
  const isChange = kind === 'review_changes' || kind === 'write_changes'
  const isQuery = kind === 'result' || kind === 'explain'
  const said = { reason: error.reason, fix: isQuery || kind === 'profile' ? fixOfQuery(error) : error.fix }
  const path = isQuery && ofQuery.has(error.code) ? 'body.definition.rawQuery' : 'body'
  const isMistake =
    validation.has(error.code) ||
    (kind === 'profile' && ofQuery.has(error.code)) ||
    (isChange && (ofQuery.has(error.code) || ofChange.has(error.code)))
  if (isMistake || path !== 'body')
    return new CallFailure('VALIDATION_ERROR', said, [
      { path, code: error.code, params: reasonParams(error.reason, undefined), message: error.message, ...place },
    ])
  const missing = error.code === 'TABLE_NOT_FOUND' || error.code === 'FILE_NOT_FOUND'
  if (kind === 'get_resource' && missing) return new CallFailure('NOT_FOUND', error)
  const cause = error.cause
  const raw = codeOf(cause)
  const detail = {
    path: 'connector',
    message: cause instanceof Error ? cause.message : error.message,
    code: raw ?? error.code,
    ...place,
    ...(cause instanceof Error ? { name: cause.name === 'error' ? 'DatabaseError' : cause.name } : {}),
  }
  return new CallFailure('CONNECTOR_ERROR', said, [detail])
}
