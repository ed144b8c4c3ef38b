import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = join(import.meta.dirname, '../..')
const sources = { server: 'src/server/start.ts', executor: 'src/executor/start.ts', headgate: 'src/cli/headgate.ts' }
/** The layers that these processes are built from. */
const layers = ['contract', 'language', 'process', 'server', 'executor', 'cli']

/** What a test starts as a process of its own: as it is shipped, or from its source, which takes a second longer each time. */
export function entryOf(name: keyof typeof sources): string {
  return builtEntry(name) ?? join(root, sources[name])
}

/** As it is shipped. Null: `npm test` has built just now, but whoever runs a test by itself has perhaps not. */
export function builtEntry(name: keyof typeof sources): string | null {
  const built = resolve(root, process.env.HEADGATE_OUT ?? 'out', 'main', `${name}.js`)
  const builtAt = statSync(built, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return builtAt > newestSource() ? built : null
}

let newest: number | undefined
function newestSource(): number {
  newest ??= Math.max(
    ...layers.flatMap((layer) =>
      readdirSync(join(root, 'src', layer), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs),
    ),
  )
  return newest
}
