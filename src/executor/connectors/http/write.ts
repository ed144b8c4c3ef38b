import { createHash } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Message } from '../../../language/message.ts'
import { fillPath, pathColumns } from '../../../language/task/path-placeholders.ts'
import type { HttpTarget } from '../../../language/task/targets/target.types.ts'
import { answerText, isSuccess, refusal, withWebClient } from './request.ts'
import type { WebClient, WebResponse } from '../web/client.ts'
import { urlBelow } from '../web/config.ts'
import { wasNotSent } from '../web/errors.ts'
import { parseJson } from '../web/json.ts'
import { reportChanges } from '../../engine/changes.ts'
import { EngineError, asEngineError } from '../../engine/errors.ts'
import type { StageContext, TargetRunner } from '../../engine/lane.types.ts'
import { findColumn } from '../../engine/sql-text.ts'
import type { RowStream } from '../../engine/stream.ts'
import { plain } from '../../sources/record-values.ts'
import { textValue } from '../../targets/encode.ts'
import { nonFinite } from '../../targets/file-changes.ts'
import { jsonRowSql } from './body.ts'
import { keptRows } from '../../targets/summary.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** A row ready to be sent: its JSON, and the values that the path names. */
interface Outgoing {
  json: string
  path: (string | null)[]
}

/** Sends the rows one request after the other, in their order. All steps have run before the first one is sent. */
export const httpTarget: TargetRunner<'http'> = {
  kind: 'http',
  directories: async () => [],
  changes: async (_target, stream) => stream.columns.flatMap(nonFinite),
  async write(target, stream, context) {
    const connector = context.connector(target.connector)
    const rows = await reportChanges(stream.columns.flatMap(nonFinite), await context.materialise(stream), context)
    return withWebClient(connector, { signal: context.signal, log: context.log }, async (client) => {
      const sender = new Sender(target, client, context)
      // What is sent cannot be taken back: all that speaks against it is to be known before.
      await context.readyToCommit({ sent: rows.rows ?? 0, taken: null })
      try {
        await context.consume(rows, async () => {
          let sent = 0
          for await (const batch of batches(target, rows, context)) {
            await sender.send(batch)
            sent += batch.length
          }
          return { rows: sent, value: undefined }
        })
      } catch (thrown) {
        const error = asEngineError(thrown)
        error.stage ??= context.stage
        throw sender.withSentRows(error)
      }
      return sender.result()
    })
  },
}

async function* batches(target: HttpTarget, stream: RowStream, context: StageContext): AsyncGenerator<Outgoing[]> {
  const most = target.send === 'batch' ? target.batch.rows : 1
  const named = pathColumns(target.path).map((column) => textValue(findColumn(stream.columns, column)))
  const fields = [jsonRowSql(stream.columns), ...named].join(', ')
  let batch: Outgoing[] = []
  for await (const chunk of context.session.chunks(`SELECT ${fields} FROM (${stream.sql})`)) {
    for (const [json, ...path] of chunk.getRows()) {
      batch.push({ json: String(json), path: path.map((value) => (value === null ? null : String(value))) })
      if (batch.length < most) continue
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}

class Sender {
  sent = 0
  /** Rows of a request without an answer: the server may have taken them. */
  #inDoubt = 0
  #requests = 0
  #bytes = 0
  #rejected = 0
  readonly #target: HttpTarget
  readonly #client: WebClient
  readonly #context: StageContext
  readonly #columns: string[]

  constructor(target: HttpTarget, client: WebClient, context: StageContext) {
    this.#target = target
    this.#client = client
    this.#context = context
    this.#columns = pathColumns(target.path)
  }

  async send(batch: Outgoing[]): Promise<void> {
    const { method, headers } = this.#target
    const path = await this.#pathOf(batch)
    if (path === null) return
    const body = method === 'DELETE' ? null : this.#bodyOf(batch)
    const number = ++this.#requests
    this.#inDoubt = batch.length
    const response = await this.#client.request({
      url: urlBelow(this.#client.base, path),
      method,
      headers: { ...headers, 'idempotency-key': this.#keyOf(number, method, path, body) },
      body,
      // The key says that it is the same request again.
      repeatable: true,
    })
    this.#inDoubt = 0
    if (isSuccess(response)) {
      this.sent += batch.length
      this.#bytes += body === null ? 0 : Buffer.byteLength(body)
      this.#context.reached(this.sent)
    } else await this.#refused(batch, response)
  }

  #bodyOf(batch: Outgoing[]): string {
    const { send, wrap } = this.#target
    const rows = send === 'batch' ? `[${batch.map((row) => row.json).join(',')}]` : (batch[0]?.json ?? '{}')
    return wrap === null ? rows : `{${JSON.stringify(wrap)}:${rows}}`
  }

  /** The same in every attempt as long as the rows are the same, and never that of another run. */
  #keyOf(number: number, method: string, path: string, body: string | null): string {
    return createHash('sha256')
      .update(JSON.stringify([this.#context.runKey, number, method, path, body]))
      .digest('hex')
      .slice(0, 40)
  }

  /** null: the row cannot be addressed, and was rejected. */
  async #pathOf(batch: Outgoing[]): Promise<string | null> {
    const values = batch[0]?.path ?? []
    const odd = values.findIndex((value) => value === null || /^\.{0,2}$/.test(value))
    if (odd === -1) {
      return fillPath(this.#target.path, (column) => encodeURIComponent(values[this.#columns.indexOf(column)] ?? ''))
    }
    const column = this.#columns[odd] ?? ''
    const value = values[odd]
    const reason =
      value === null || value === undefined
        ? runMessage('path_column_null', { column })
        : runMessage('path_column_unfit', { column, value })
    if (this.#target.on_error === 'quarantine') {
      await this.#reject(batch, reason)
      return null
    }
    throw new EngineError('VALUE_INVALID', runMessage('row_without_address', { cause: reason }), {
      hint: runMessage('row_without_address_fix'),
    })
  }

  async #refused(batch: Outgoing[], response: WebResponse): Promise<void> {
    const { status } = response
    const rowsAtFault = status >= 400 && status < 500 && ![401, 403, 407, 408, 425, 429].includes(status)
    if (this.#target.on_error !== 'quarantine' || !rowsAtFault) {
      throw refusal(response, this.#context.connector(this.#target.connector), this.#client)
    }
    const answer = `${status} ${STATUS_CODES[status] ?? ''}`
    const text = answerText(response, this.#client, 500)
    await this.#reject(batch, runMessage('row_answered_with', { what: response.what, answer, text }))
  }

  async #reject(batch: Outgoing[], reason: Message): Promise<void> {
    this.#rejected += batch.length
    await this.#context.rejectEntries(batch.map(({ json }) => ({ reason, row: shown(json) })))
  }

  /** What was sent stays sent: whoever reads of the failure must know. */
  withSentRows(error: EngineError): EngineError {
    const inDoubt = wasNotSent(error.cause) ? 0 : this.#inDoubt
    if (this.sent + inDoubt === 0) return error
    const kept = keptRows(this.sent, inDoubt, 'request')
    const hint = error.fix
      ? runMessage('service_keeps_and', { kept, fix: error.fix })
      : runMessage('service_keeps', { kept })
    return new EngineError(error.code, error.reason, { hint, stage: error.stage, cause: error.cause })
  }

  result(): { rows: number; changed: number; bytes: number; summary: string } {
    const number = (value: number): string => value.toLocaleString('en')
    const lost = this.#rejected === 0 ? '' : `, ${number(this.#rejected)} refused`
    const where = `${this.#target.method} ${this.#target.path}`
    return {
      rows: this.sent,
      changed: this.sent,
      bytes: this.#bytes,
      summary: `Sent ${number(this.sent)} rows in ${number(this.#requests)} requests to ${where}${lost}`,
    }
  }
}

function shown(json: string): Record<string, unknown> {
  return plain(parseJson(json)) as Record<string, unknown> // written as an object
}
