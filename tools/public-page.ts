/**
 * Bundles the page of public links beside the window. It has a bundle of its own because chunks that it shared with the window would
 * hold what the window needs of them: four times as much as this page. Contracts come without their schemas, which only the server
 * checks, and words without i18next.
 */
import react from '@vitejs/plugin-react'
import { join } from 'node:path'
import { type Plugin, build } from 'vite'

const schemas = '\0no-schemas'

/** Every maker of a schema gives what it was called with last: its options, with the name that references ask for. */
const withoutSchemas: Plugin = {
  name: 'headgate-without-schemas',
  enforce: 'pre',
  resolveId: (id) => (id === 'typebox' ? schemas : undefined),
  load: (id) =>
    id === schemas ? 'export default new Proxy({}, { get: () => (...given) => given.at(-1) ?? {} })' : undefined,
  // Schemas that this page names nowhere are left out: they are made without a trace, and answers don't refer to them.
  transform: (code, id) =>
    /[\\/]src[\\/]contract[\\/]/.test(id)
      ? code.replaceAll(/\bref\(\w+\)/g, '{}').replaceAll(/\bType\.[A-Z]\w*\(/g, '/* @__PURE__ */ $&')
      : undefined,
}

/** In one file each: in a dozen they are 3 % larger, and each has to be asked for. */
const groups = [
  { name: 'start', tags: ['$initial' as const], priority: 2 },
  { name: 'chart', test: /node_modules[\\/](echarts|zrender)[\\/]/, minShareCount: 3, priority: 1 },
]

export function publicPagePlugin(): Plugin {
  let root = ''
  let outDir = ''
  return {
    name: 'headgate-public-page',
    apply: 'build',
    configResolved(config) {
      root = config.root
      outDir = config.build.outDir
    },
    async closeBundle() {
      const small = join(root, 'i18n/small.ts')
      await build({
        root,
        base: '/',
        configFile: false,
        logLevel: 'warn',
        plugins: [react(), withoutSchemas],
        resolve: { alias: { i18next: small, 'react-i18next': small } },
        build: {
          outDir,
          emptyOutDir: false,
          // The window has brought it.
          copyPublicDir: false,
          minify: true,
          chunkSizeWarningLimit: Infinity,
          rollupOptions: { input: join(root, 'public.html'), output: { codeSplitting: { groups } } },
        },
      })
    },
  }
}
