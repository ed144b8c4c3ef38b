// Servers that the tests talk to and that no Debian package has, built from their Go modules at pinned versions. Once a version:
// a few minutes the first time. Without Go the tests that need them say by name that they were skipped.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serviceFolder } from './service-folder.mjs'

const services = {
  /** MongoDB's wire protocol over SQLite. Its releases are built with a file that its module lacks, without which it ends at once. */
  ferretdb: {
    module: 'github.com/FerretDB/FerretDB',
    version: 'v1.24.2',
    main: 'cmd/ferretdb',
    add: { path: 'build/version/version.txt', text: 'v1.24.2' },
  },
  /** S3. */
  minio: { module: 'github.com/minio/minio', version: 'v0.0.0-20260212201848-7aac2a2c5b7c', main: '' },
}

export function buildServices() {
  const wanted = Object.entries(services).filter(([name, service]) => !isBuilt(name, service))
  if (wanted.length === 0) return
  if (spawnSync('go', ['version'], { stdio: 'ignore' }).status !== 0) {
    const names = wanted.map(([name]) => name).join(', ')
    console.error(`headgate: the tests also use ${names}, which Go builds; install Go 1.24 or newer to run every test`)
    return
  }
  for (const [name, service] of wanted) build(name, service)
}

const stampOf = ({ module, version, main, add }) =>
  createHash('sha256')
    .update(`${module}@${version}/${main}${add?.path ?? ''}`)
    .digest('hex')
const stampFile = (name) => join(serviceFolder, `${name}.stamp`)

function isBuilt(name, service) {
  const stamp = stampFile(name)
  return existsSync(join(serviceFolder, name)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === stampOf(service)
}

/** By a module of our own that requires it: `go install` would also ask for the list of versions, which proxies may refuse. */
function build(name, { module, version, main, add }) {
  console.error(`headgate: building ${name} ${version} for the tests …`)
  const folder = join(serviceFolder, `${name}.build`)
  mkdirSync(folder, { recursive: true })
  const program = main === '' ? module : `${module}/${main}`
  writeFileSync(join(folder, 'go.mod'), `module headgate.test/${name}\n\ngo 1.24\n\nrequire ${module} ${version}\n`)
  writeFileSync(join(folder, 'tools.go'), `//go:build tools\n\npackage tools\n\nimport _ "${program}"\n`)
  const env = { ...process.env, GOFLAGS: '-mod=mod -trimpath', GOTOOLCHAIN: 'auto', CGO_ENABLED: '0' }
  if (add) copyWith(add, module, version, folder, env)
  const output = join(serviceFolder, name)
  const { status, stderr } = spawnSync('go', ['build', '-ldflags=-s -w', '-o', output, program], { cwd: folder, env })
  rmSync(folder, { recursive: true, force: true })
  if (status === 0) return writeFileSync(stampFile(name), stampOf(services[name]))
  // Go tells each module that it downloads; what went wrong stands at the end.
  console.error(String(stderr).split('\n').slice(-12).join('\n'))
  console.error(`headgate: ${name} could not be built; the tests that need it will be skipped`)
}

/** Builds from a copy of the module with one more file; where it cannot be fetched, the build says so. */
function copyWith({ path, text }, module, version, folder, env) {
  const { stdout } = spawnSync('go', ['mod', 'download', '-json', `${module}@${version}`], { cwd: folder, env })
  const source = JSON.parse(String(stdout) || '{}').Dir
  if (!source) return
  const copy = join(folder, 'source')
  // Go keeps its modules read-only.
  spawnSync('cp', ['-R', source, copy])
  spawnSync('chmod', ['-R', 'u+w', copy])
  writeFileSync(join(copy, path), `${text}\n`)
  appendFileSync(join(folder, 'go.mod'), `\nreplace ${module} => ./source\n`)
}
