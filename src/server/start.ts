// The entry of the server process: under Electron as a utility process, headless under Node. It looks at the Node version
// before it loads anything, as the database's native part crashes old ones without a word.
const NEEDED = 22
const [major = 0] = process.versions.node.split('.').map(Number)

if (major < NEEDED) {
  process.stderr.write(
    `headgate: Node ${process.versions.node} is too old, version ${NEEDED} or newer is needed; \`npm run serve\` brings its own.\n`,
  )
  process.exit(1)
}

const { serve } = await import('./serve.ts')
await serve(import.meta.url)
