// Electron's folder for Linux as its archive lays it out, for a machine that cannot download it. The executable is a real ELF
// file that holds Electron's fuse wire, so that what sets and reads fuses does its real work; it cannot show windows.
import { appendFileSync, chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What stands before the fuses in Electron's executable; @electron/fuses looks for it. */
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
/** Electron 45's own defaults, in the order of FuseV1Options: cookie encryption off, runAsNode on, and so on. */
const wire = Buffer.from([1, 9, ...Buffer.from('101100011')])

export function layOutElectron(folder: string): string {
  for (const name of ['resources', 'locales']) mkdirSync(join(folder, name), { recursive: true })
  const executable = join(folder, 'electron')
  copyFileSync('/bin/true', executable)
  appendFileSync(executable, Buffer.concat([Buffer.from(sentinel), wire]))
  chmodSync(executable, 0o755)
  for (const name of ['chrome-sandbox', 'chrome_crashpad_handler', 'libffmpeg.so', 'libEGL.so', 'libGLESv2.so'])
    copyFileSync('/bin/true', join(folder, name))
  for (const name of ['en-US', 'de', 'fr']) writeFileSync(join(folder, 'locales', `${name}.pak`), name)
  for (const name of ['icudtl.dat', 'resources.pak', 'snapshot_blob.bin', 'v8_context_snapshot.bin'])
    writeFileSync(join(folder, name), name)
  writeFileSync(join(folder, 'LICENSE'), 'Electron’s license\n')
  writeFileSync(join(folder, 'LICENSES.chromium.html'), 'Chromium’s licenses\n')
  writeFileSync(join(folder, 'version'), '45.4.1')
  return folder
}
