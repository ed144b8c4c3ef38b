import { shortened } from '../../language/shortened.ts'
import { evaluateTemplate } from '../../language/expressions/template.ts'
import type { ExpressionScope } from '../../language/task/task-scope.ts'
import { isSuccess, refusal, responseScope, sendRequest, withWebClient } from '../connectors/http/request.ts'
import { EngineError } from '../engine/errors.ts'
import type { KindRunner } from './kind.types.ts'
import { runMessage } from '../../contract/run-messages.ts'

/** One call of an API. */
export const httpRunner: KindRunner<'http'> = {
  kind: 'http',
  run({ http }, { connector: bound, signal, log, scope }) {
    const connector = bound(http.connector)
    return withWebClient(connector, { signal, log }, async (client) => {
      const answer = await sendRequest(client, http.request)
      log('info', `${answer.what} answered ${answer.status}, ${answer.body.length.toLocaleString('en')} bytes`)
      if (http.success === null && !isSuccess(answer)) throw refusal(answer, connector, client)
      const response = responseScope(answer, client)
      if (http.success !== null) checkSuccess(http.success, { ...scope, response }, answer.what)
      return {
        item_count: null,
        scope: { response },
        metrics: { rows_in: 0, rows_out: 0, rejected: 0, bytes: answer.body.length, lane: 'call' },
      }
    })
  },
}

function checkSuccess(
  success: string,
  scope: ExpressionScope & { response: { status: number; body: unknown } },
  what: string,
): void {
  const result = evaluateTemplate(success, { ...scope }, scope.run.logical_date)
  if (!result.ok) {
    throw new EngineError('EXPRESSION_FAILED', runMessage('success_failed', { cause: result.problem }), {
      hint: runMessage('success_failed_fix'),
    })
  }
  if (result.value === true) return
  const { status, body } = scope.response
  const shown = shortened(typeof body === 'string' ? body : (JSON.stringify(body) ?? ''), 200)
  throw new EngineError('REQUEST_REFUSED', runMessage('success_false', { what, http_status: status, shown }), {
    hint: runMessage('success_false_fix'),
  })
}
