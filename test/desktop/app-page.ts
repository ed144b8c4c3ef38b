// How specs look at the app through its own window: by its REST interface, with the window's session.
import { expect, type Page } from '@playwright/test'

export const ADMIN = { SVC_ADMIN_USERNAME: 'ada', SVC_ADMIN_PASSWORD: 'correct horse battery staple' }

/** GETs a path of the server from within the page. Status 0 when the server is away. */
export function get(page: Page, path: string): Promise<{ status: number; body: unknown }> {
  return page.evaluate(async (path) => {
    try {
      const response = await fetch(path)
      const isJson = response.headers.get('content-type')?.includes('json')
      return { status: response.status, body: isJson ? ((await response.json()) as unknown) : null }
    } catch {
      return { status: 0, body: null }
    }
  }, path)
}

/** Waits until the window has signed itself in. */
export async function untilSignedIn(page: Page): Promise<void> {
  await page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\//)
  await expect.poll(async () => (await get(page, '/api/auth/me')).status).toBe(200)
}

export async function serverPid(page: Page): Promise<number> {
  const { body } = await get(page, '/api/server/info')
  return (body as { pid: number }).pid
}

export interface ExecutorRow {
  name: string
  status: string
}

export async function executors(page: Page): Promise<ExecutorRow[]> {
  const { status, body } = await get(page, '/api/server/executors')
  return status === 200 ? (body as ExecutorRow[]).map(({ name, status }) => ({ name, status })) : []
}

/** POSTs JSON from within the page and gives what was made; a refusal fails the test with its answer. */
export async function post(page: Page, path: string, body: object): Promise<{ id: number }> {
  const reply = await page.evaluate(
    async ([path, body]) => {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
      return { status: response.status, body: (await response.json()) as unknown }
    },
    [path, body] as const,
  )
  expect(reply.status, `POST ${path}: ${JSON.stringify(reply.body)}`).toBe(201)
  return reply.body as { id: number }
}
