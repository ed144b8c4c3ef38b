import type { Answer, TestServer } from './server.ts'

/** The session cookie of an answer, as a browser sends it back. */
export function cookieOf(answer: Answer): string {
  const cookie = answer.headers.get('set-cookie')?.split(';', 1)[0]
  if (!cookie) throw new Error(`No cookie in the answer ${answer.status} ${JSON.stringify(answer.body)}`)
  return cookie
}

/** Signs in with a password. */
export async function signIn(
  server: TestServer,
  credentials: { username: string; password: string },
  headers: Record<string, string> = {},
): Promise<{ cookie: string; body: unknown }> {
  const answer = await server.client.post('/api/auth/login', credentials, { headers })
  return { cookie: cookieOf(answer), body: answer.body }
}
