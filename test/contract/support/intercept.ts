// Clients that change the requests of one operation on their way out: the rows of `successes` bring everything into the
// state that the operation needs, and one text of its request is another.
import type { Operation } from '../../../src/contract/operation.ts'
import { type TestClient, verbs } from '../../support/server.ts'
import type { Stage } from '../successes.ts'
import { type StringField, withText } from './string-fields.ts'
import type { World } from './worlds.ts'

type Options = NonNullable<Parameters<TestClient['request']>[2]>
export interface Sent {
  client: TestClient
  path: string
  options: Options
}
export type Change = (sent: Sent) => Sent

/** Puts the text in place of what the field holds. */
export const withField =
  (op: Operation, { part, steps }: StringField, text: string): Change =>
  ({ client, path, options }) => {
    if (part === 'body') return { client, path, options: { ...options, body: withText(options.body, steps, text) } }
    // Queries and paths are flat.
    const name = String(steps[0])
    if (part === 'query') return { client, path, options: { ...options, query: { ...options.query, [name]: text } } }
    const place = op.path.split('/').indexOf(`{${name}}`)
    const segments = path.split('/')
    segments[place] = encodeURIComponent(text)
    return { client, path: segments.join('/'), options }
  }

/** The stage with clients that change the requests of the operation; `sent` has them, as they went out. */
export function intercept({ live, scripted }: Stage, op: Operation, change: Change): { stage: Stage; sent: Sent[] } {
  const pattern = new RegExp(`^${op.path.replaceAll(/\{\w+\}/g, '[^/]*')}$`)
  const sent: Sent[] = []

  function client(inner: TestClient): TestClient {
    const request: TestClient['request'] = (method, path, options = {}) => {
      if (method !== op.method || !pattern.test(path)) return inner.request(method, path, options)
      const changed = change({ client: inner, path, options })
      sent.push(changed)
      return inner.request(method, changed.path, changed.options)
    }
    return {
      ...inner,
      ...verbs(request),
      with: (headers) => client(inner.with(headers)),
    }
  }
  const world = <T extends World>(inner: T): T => ({
    ...inner,
    admin: client(inner.admin),
    editor: client(inner.editor),
    server: {
      ...inner.server,
      client: client(inner.server.client),
      as: (role, scopes) => client(inner.server.as(role, scopes)),
      asExecutor: () => client(inner.server.asExecutor()),
    },
  })
  const executor = { ...scripted.executor, client: client(scripted.executor.client) }
  return { stage: { live: world(live), scripted: { ...world(scripted), executor } }, sent }
}
