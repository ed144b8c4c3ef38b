// Debian packages that the tests use: a browser, a virtual display, database and SSH servers, and Python. Installed where the machine is
// Debian and we are root (as in CI); elsewhere the tests that need them say by name that they were skipped.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'

const postgresBinaries = () => (existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : [])

export function ensureSystemPackages() {
  const missing = []
  if (!existsSync('/usr/bin/chromium')) missing.push('chromium')
  if (!existsSync('/usr/bin/chromium-headless-shell')) missing.push('chromium-headless-shell')
  if (!existsSync('/usr/bin/xvfb-run')) missing.push('xvfb', 'xauth')
  if (postgresBinaries().length === 0) missing.push('postgresql')
  if (!existsSync('/usr/sbin/mariadbd')) missing.push('mariadb-server')
  if (!existsSync('/usr/sbin/sshd')) missing.push('openssh-server')
  if (!existsSync('/usr/bin/openssl')) missing.push('openssl')
  if (!existsSync('/usr/bin/update-mime-database')) missing.push('shared-mime-info')
  // Debian keeps the part that makes environments (tools/services/python.mjs) in a package of its own.
  if (spawnSync('/usr/bin/python3', ['-c', 'import venv, ensurepip'], { stdio: 'ignore' }).status !== 0)
    missing.push('python3', 'python3-venv')
  if (missing.length === 0) return
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    console.error(`headgate: the tests also use ${missing.join(', ')}; install them to run every test`)
    return
  }
  console.error(`headgate: installing ${missing.join(', ')} for the tests …`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args) => spawnSync('apt-get', ['-qq', ...args], { stdio: ['ignore', 'ignore', 2], env }).status
  apt('update')
  if (apt('install', '-y', '--no-install-recommends', ...missing) !== 0) {
    console.error('headgate: apt-get could not install them; the tests that need them will be skipped')
  }
}
