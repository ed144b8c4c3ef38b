/** The page of charts, built as the window is and served with the headers of the server. */
import react from '@vitejs/plugin-react'
import fastify from 'fastify'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'vite'
import { secureHeaders } from '../../src/server/platform/http-guards.ts'
import { serveWindow } from '../../src/server/platform/static-files.ts'

export interface ChartsPage {
  url: string
  out: string
  close(): Promise<void>
}

export async function startChartsPage(): Promise<ChartsPage> {
  const out = mkdtempSync(join(tmpdir(), 'headgate-charts-'))
  const root = resolve(import.meta.dirname, '../e2e/charts')
  await build({
    root,
    base: '/',
    configFile: false,
    logLevel: 'error',
    publicDir: resolve(root, '../../../src/renderer/public'),
    plugins: [react()],
    build: { outDir: out, emptyOutDir: true, minify: true, chunkSizeWarningLimit: Infinity },
  })
  const app = fastify()
  app.addHook('onRequest', async (request, reply) => secureHeaders(request, reply))
  serveWindow(app, out)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    url,
    out,
    async close() {
      await app.close()
      rmSync(out, { recursive: true, force: true })
    },
  }
}
