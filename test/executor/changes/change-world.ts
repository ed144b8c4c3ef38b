import type { ChangesResult } from '../../../src/contract/changes.ts'
import type { Answer, TestClient } from '../../support/server.ts'
import { startResultWorld, type ResultWorld } from '../results/result-world.ts'

/** Changes through the server, an executor process and its workers: nothing is stood in for. */
export interface ChangeWorld extends ResultWorld {
  post(connector: number, body: object, client?: TestClient): Promise<Answer>
  /** Reviews; fails the test where that is refused. */
  review(connector: number, body: object): Promise<ChangesResult>
  /** Reviews and confirms. */
  write(connector: number, body: object): Promise<ChangesResult>
}

export async function startChangeWorld(...options: Parameters<typeof startResultWorld>): Promise<ChangeWorld> {
  const world = await startResultWorld(...options)
  const post: ChangeWorld['post'] = (id, body, client = world.editor) =>
    client.post(`/api/connectors/${id}/changes`, body)
  const sure = async (id: number, body: object): Promise<ChangesResult> => {
    const answer = await post(id, body)
    if (answer.status !== 200) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer.body as ChangesResult
  }
  return {
    ...world,
    post,
    review: sure,
    async write(id, body) {
      const { confirmation } = await sure(id, body)
      return sure(id, { ...body, confirmation })
    },
  }
}

export const raw = (rawQuery: string, parameters: object = {}) => ({
  definition: { mode: 'raw', rawQuery },
  parameters,
})
