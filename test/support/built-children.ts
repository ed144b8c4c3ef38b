import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { build } from 'vite'
import { afterAll } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }

/**
 * What tests start as processes of their own, bundled as it is shipped: from its sources, each start takes four times as much
 * processor time. The built files are in one folder, which is removed after the tests of the file.
 */
export async function buildChildren(sources: string[]): Promise<(name: string) => string> {
  // In the project, for packages that are not bundled are found from there.
  const results = resolve('test-results')
  mkdirSync(results, { recursive: true })
  const outDir = mkdtempSync(join(results, 'children-'))
  afterAll(() => rmSync(outDir, { recursive: true, force: true }))
  await build({
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true, external: Object.keys(manifest.dependencies) },
    build: { ssr: true, outDir, rollupOptions: { input: sources, output: { entryFileNames: '[name].js' } } },
  })
  return (name) => join(outDir, `${basename(name, '.ts')}.js`)
}
