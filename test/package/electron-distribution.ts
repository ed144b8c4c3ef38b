// Electron's folders as its archives lay them out, for a machine that cannot download them. Executables hold Electron's fuse wire
// and what else packaging reads and writes in them, so that it does its real work; they cannot show windows.
import { appendFileSync, chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** What stands before the fuses in Electron's executable, where @electron/fuses looks for it, and Electron 45's own defaults. */
const wire = Buffer.concat([
  Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'),
  Buffer.from([1, 9]),
  Buffer.from('101100011'),
])

export type System = 'linux' | 'darwin' | 'win32'

/** Returns `folder`. */
export function layOutElectron(system: System, folder: string): string {
  const write = (path: string, content: string | Buffer): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  layOut[system](folder, write)
  return folder
}

type Write = (path: string, content: string | Buffer) => void

const layOut: Record<System, (folder: string, write: Write) => void> = {
  linux(folder, write) {
    for (const name of ['en-US', 'de', 'fr']) write(`locales/${name}.pak`, name)
    for (const name of ['icudtl.dat', 'resources.pak', 'snapshot_blob.bin', 'v8_context_snapshot.bin'])
      write(name, name)
    write('LICENSE', 'Electron’s license\n')
    write('LICENSES.chromium.html', 'Chromium’s licenses\n')
    mkdirSync(join(folder, 'resources'))
    for (const name of ['electron', 'chrome-sandbox', 'chrome_crashpad_handler', 'libffmpeg.so', 'libEGL.so'])
      copyFileSync('/bin/true', join(folder, name))
    appendFileSync(join(folder, 'electron'), wire)
    chmodSync(join(folder, 'electron'), 0o755)
  },
  darwin(_folder, write) {
    const contents = 'Electron.app/Contents'
    const framework = `${contents}/Frameworks/Electron Framework.framework`
    write(`${contents}/MacOS/Electron`, 'an executable')
    write(
      `${contents}/Info.plist`,
      propertyList({
        CFBundleExecutable: 'Electron',
        CFBundleIdentifier: 'com.github.Electron',
        CFBundleName: 'Electron',
        CFBundlePackageType: 'APPL',
        CFBundleVersion: '45.4.1',
      }),
    )
    write(`${framework}/Electron Framework`, wire)
    for (const name of ['en', 'de', 'fr']) {
      write(`${contents}/Resources/${name}.lproj/locale.pak`, name)
      write(`${framework}/Versions/A/Resources/${name}.lproj/locale.pak`, name)
    }
    for (const kind of ['', ' (GPU)', ' (Plugin)', ' (Renderer)']) {
      const helper = `${contents}/Frameworks/Electron Helper${kind}.app/Contents`
      write(`${helper}/Info.plist`, propertyList({ CFBundleExecutable: `Electron Helper${kind}` }))
      write(`${helper}/MacOS/Electron Helper${kind}`, 'an executable')
    }
  },
  win32(folder, write) {
    for (const name of ['en-US', 'de', 'fr']) write(`locales/${name}.pak`, name)
    // Any Windows program with a description of itself, which packaging rewrites.
    const builder = createRequire(createRequire(import.meta.url).resolve('electron-builder'))
    const tools = dirname(builder.resolve('electron-winstaller/package.json'))
    copyFileSync(join(tools, 'vendor/rcedit.exe'), join(folder, 'electron.exe'))
    appendFileSync(join(folder, 'electron.exe'), wire)
  },
}

function propertyList(entries: Record<string, string>): string {
  const lines = Object.entries(entries).map(([key, value]) => `<key>${key}</key><string>${value}</string>`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>${lines.join('')}</dict></plist>`
}
