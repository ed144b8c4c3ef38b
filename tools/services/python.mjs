// Python for the tests' oracle (test/differential): an environment of its own with the packages that requirements.txt pins, made once a
// version beside the built servers. Python itself comes from Debian (system-packages.mjs).
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { serviceFolder } from './service-folder.mjs'

const folder = join(dirname(serviceFolder), 'python')
const stamp = join(folder, 'headgate.stamp')
const requirements = 'test/differential/oracle/requirements.txt'

export const pythonProgram = join(folder, 'bin', 'python')

/** Without Python 3.11 or newer the tests that need it fail, and say why. */
export function ensurePython() {
  const want = createHash('sha256').update(readFileSync(requirements)).digest('hex')
  if (existsSync(stamp) && existsSync(pythonProgram) && readFileSync(stamp, 'utf8') === want) return
  console.error('headgate: installing Python packages for the tests …')
  rmSync(folder, { recursive: true, force: true })
  const made = ['/usr/bin/python3', 'python3'].some((python) => run(python, ['-m', 'venv', folder]))
  const install = [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--no-deps',
    '--only-binary',
    ':all:',
    '-r',
    requirements,
  ]
  if (made && run(pythonProgram, install)) return writeFileSync(stamp, want)
  console.error('headgate: Python packages could not be installed; the tests that need them will fail')
}

function run(command, args) {
  return spawnSync(command, args, { stdio: ['ignore', 2, 2] }).status === 0
}
