import type { FastifyInstance } from 'fastify'
import { attendResult, mostChunkBytes, postResultChunk } from '../../../contract/executor-results.ts'
import { route } from '../../platform/http.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { ExecutorsService } from '../executors/executors.service.ts'
import type { ResultsService } from './results.service.ts'

export function registerResultsRoutes(
  app: FastifyInstance,
  results: ResultsService,
  executors: ExecutorsService,
): void {
  route(app, postResultChunk, async ({ params, headers, request }) => {
    const executor = executors.byCredential(headers['x-executor-credential'])
    // Leaving the loop must not end the connection, over which a refusal still has to go.
    const body = await piecesOf(request.raw.iterator({ destroyOnReturn: false }))
    return results.deliver(params.resultId, executor, body)
  })
  route(app, attendResult, ({ params, headers, body }) =>
    results.attend(params.resultId, executors.byCredential(headers['x-executor-credential']), body.seen),
  )
}

async function piecesOf(body: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of body) {
    bytes += piece.length
    if (bytes > mostChunkBytes + 1_048_576) throw new Refusal('PAYLOAD_TOO_LARGE')
    pieces.push(piece)
  }
  return pieces
}
