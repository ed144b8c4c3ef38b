// Runs under whatever Node the machine has (20 or newer), before every npm script: installs what the lockfile names,
// among it the Node 24 that the script itself then runs on, and builds when asked (`--build`) and stale.
// Built-ins only. `--system` also installs the servers that the tests need (see system-packages.mjs and services/).
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
process.chdir(root)
const flags = new Set(process.argv.slice(2))

const sha256 = (...parts) => parts.reduce((h, p) => h.update(p), createHash('sha256')).digest('hex')
const readOr = (file, fallback) => (existsSync(file) ? readFileSync(file, 'utf8') : fallback)

function run(command, args, env = process.env) {
  const result = spawnSync(command, args, { stdio: ['ignore', 2, 2], env })
  if (result.error) console.error(`headgate: ${command} could not be started: ${result.error.message}`)
  return result.status ?? 1
}

function install() {
  const stamp = join('node_modules', '.headgate-install')
  const want = sha256(readFileSync('package-lock.json'), readFileSync('package.json'), process.platform, process.arch)
  if (readOr(stamp, '') === want && existsSync(join('node_modules', '.bin', 'node'))) return
  console.error('headgate: installing packages (first start, or the lockfile changed) …')
  // The outer `npm run` leaks its own lifecycle variables; the inner npm must not take them for settings.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([key]) => !/^npm_(lifecycle|package|command|config_local_prefix)/.test(key)),
  )
  const npm = process.env.npm_execpath
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
  const status = npm ? run(process.execPath, [npm, ...args], env) : run('npm', args, env)
  if (status !== 0) {
    console.error('headgate: `npm ci` failed; is the package registry reachable?')
    process.exit(status)
  }
  writeFileSync(stamp, want)
}

/** Newest change and number of files below the folders that the build reads. */
function sourcesFingerprint() {
  const lines = []
  const walk = (dir) => {
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      const path = join(dir, entry.name)
      if (entry.isDirectory()) walk(path)
      else lines.push(`${path}:${statSync(path).mtimeMs}:${statSync(path).size}`)
    }
  }
  for (const dir of ['src', 'resources', 'docs', 'tools/docs']) walk(dir)
  for (const file of ['electron.vite.config.ts', 'package.json', 'package-lock.json'])
    lines.push(readFileSync(file, 'utf8'))
  return sha256(lines.toSorted((a, b) => (a < b ? -1 : 1)).join('\n'))
}

function build() {
  const stamp = join('out', '.headgate-build')
  const want = sourcesFingerprint()
  if (readOr(stamp, '') === want) return
  console.error('headgate: building …')
  rmSync(stamp, { force: true })
  const node = join('node_modules', '.bin', 'node')
  const status = run(node, [
    join('node_modules', 'electron-vite', 'bin', 'electron-vite.js'),
    'build',
    '--logLevel',
    'warn',
  ])
  if (status !== 0) process.exit(status)
  writeFileSync(stamp, want)
}

install()
if (flags.has('--build')) build()
if (flags.has('--system')) {
  await import('./system-packages.mjs').then((m) => m.ensureSystemPackages())
  await import('./services/build-services.mjs').then((m) => m.buildServices())
  await import('./services/python.mjs').then((m) => m.ensurePython())
}
