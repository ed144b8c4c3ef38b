/** Requests for proposals in tests, and the events that answer them. */
import { expect } from 'vitest'
import type { AiEvent } from '../../src/contract/ai.ts'
import { hold } from '../../src/server/platform/config.hold.ts'
import type { FakeAi } from './fake-ai.ts'
import type { TestClient, TestServer } from './server.ts'

/** The provider of a test is the fake. */
export function useFakeAi({ platform: { config } }: Pick<TestServer, 'platform'>, fake: FakeAi): void {
  hold(config, 'ai.provider', 'compatible')
  hold(config, 'ai.base_url', fake.url)
  hold(config, 'ai.model', 'model-1')
  hold(config, 'ai.api_key', 'a-key-of-the-tests')
}

export async function eventsOf(client: TestClient, path: string, body: object): Promise<AiEvent[]> {
  const answer = await client.post(`/api/ai/${path}`, body)
  expect(answer).toMatchObject({ status: 200 })
  const blocks = String(answer.body).trim().split('\n\n')
  return blocks.map((block) => JSON.parse(block.slice(block.indexOf('data: ') + 6)) as AiEvent)
}

export const lastOf = <E extends AiEvent['event']>(events: readonly AiEvent[], event: E) =>
  events.findLast((one): one is Extract<AiEvent, { event: E }> => one.event === event)
export const fencedYaml = (yaml: string): string => `Here it is.\n\n\`\`\`yaml\n${yaml}\`\`\`\n`
