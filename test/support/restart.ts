import { rmSync } from 'node:fs'
import { type TestServer, type TestServerOptions, startTestServer } from './server.ts'

/** Ends the server and starts another one in its folder, which goes when that one is closed. */
export async function restartTestServer(server: TestServer, options: TestServerOptions = {}): Promise<TestServer> {
  const { dataDir } = server
  await server.app.close()
  server.platform.close()
  const next = await startTestServer({ ...options, dataDir })
  return {
    ...next,
    async close() {
      await next.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
