// Makes a Debian package as `fpm -s dir -t deb` does, with dpkg-deb alone: fpm is a Ruby program that electron-builder downloads.
// Understands the options that electron-builder gives and no others, so that a new one is noticed. Nothing is compressed.
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'

const text = { type: 'string' }
const many = { type: 'string', multiple: true }
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    source: { ...text, short: 's' },
    target: { ...text, short: 't' },
    depends: { ...many, short: 'd' },
    'deb-recommends': many,
    'deb-compression': text,
    'deb-priority': text,
    'after-install': text,
    'after-remove': text,
    force: { type: 'boolean' },
    architecture: text,
    description: text,
    version: text,
    package: text,
    name: text,
    maintainer: text,
    vendor: text,
    url: text,
    category: text,
    license: text,
  },
})

// Beside the result, so that files are linked instead of copied.
const result = String(values.package)
const tree = mkdtempSync(`${result}-`)
try {
  for (const mapping of positionals) {
    const at = mapping.lastIndexOf('=')
    const from = mapping.slice(0, at)
    const to = join(tree, mapping.slice(at + 1))
    mkdirSync(dirname(to), { recursive: true })
    if (statSync(from).isDirectory()) execFileSync('cp', ['-al', from, to])
    else copyFileSync(from, to)
  }
  const control = {
    Package: values.name,
    Version: values.version,
    License: values.license,
    Vendor: values.vendor,
    Architecture: values.architecture,
    Maintainer: values.maintainer,
    Depends: values.depends?.join(', '),
    Recommends: values['deb-recommends']?.join(', '),
    Section: values.category,
    Priority: values['deb-priority'],
    Homepage: values.url,
    Description: values.description,
  }
  const lines = Object.entries(control).filter(([, value]) => value !== undefined)
  const debian = join(tree, 'DEBIAN')
  mkdirSync(debian)
  chmodSync(debian, 0o755)
  writeFileSync(join(debian, 'control'), lines.map(([key, value]) => `${key}: ${value}\n`).join(''))
  for (const [script, file] of [
    ['postinst', values['after-install']],
    ['postrm', values['after-remove']],
  ]) {
    copyFileSync(file, join(debian, script))
    chmodSync(join(debian, script), 0o755)
  }
  chmodSync(tree, 0o755)
  execFileSync('dpkg-deb', ['-Znone', '--root-owner-group', '--build', tree, result])
} finally {
  rmSync(tree, { recursive: true, force: true })
}
