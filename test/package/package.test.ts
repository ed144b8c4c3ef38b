import { extractFile, getRawHeader } from '@electron/asar'
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir, hostname, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { built, filesIn, packedApp, root, type ArchivedFile, type PackedApp } from './packed-app.ts'

let app: PackedApp
let files: ArchivedFile[]
let paths: string[]
const temporary = mkdtempSync(join(tmpdir(), 'headgate-package-'))

beforeAll(async () => {
  app = await packedApp()
  files = filesIn(app.archive)
  paths = files.map(({ path }) => path)
}, 180_000)

afterAll(() => rmSync(temporary, { recursive: true, force: true }))

const sha256 = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex')

function contentOf({ path, unpacked }: ArchivedFile): Buffer {
  return unpacked ? readFileSync(join(`${app.archive}.unpacked`, path)) : extractFile(app.archive, path)
}

describe('the archive', () => {
  test('holds every entry of the build, the window, and what packages read beside their code', () => {
    const entries = [
      'index',
      'server',
      'executor',
      'worker',
      'store-thread',
      'task-judge',
      'readings',
      'sandbox',
      'headgate',
    ]
    expect(paths).toEqual(
      expect.arrayContaining([
        ...entries.map((name) => `out/main/${name}.js`),
        'out/preload/preload.cjs',
        'out/renderer/index.html',
        'package.json',
        'resources/icon.png',
        'node_modules/@jitl/quickjs-wasmfile-release-sync/dist/emscripten-module.wasm',
        'node_modules/@fastify/swagger-ui/static/swagger-ui-bundle.js',
      ]),
    )
    const folder = join(root, built)
    const parts = ['main', 'preload', 'renderer'].flatMap((part) =>
      readdirSync(join(folder, part), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
    )
    const names = parts.map(({ parentPath, name }) => join('out', parentPath.slice(folder.length), name))
    expect(names.filter((name) => !name.endsWith('.map') && !paths.includes(name))).toEqual([])
  })

  test('leaves outside exactly the libraries that the system loads', () => {
    const unpacked = files.filter((file) => file.unpacked).map(({ path }) => path)
    expect(unpacked.toSorted()).toEqual([
      'node_modules/@duckdb/node-bindings-linux-x64/duckdb.node',
      'node_modules/@duckdb/node-bindings-linux-x64/libduckdb.so',
      'node_modules/@node-rs/argon2-linux-x64-gnu/argon2.linux-x64-gnu.node',
      'node_modules/better-sqlite3/prebuilds/linux-x64.node',
    ])
    expect(unpacked.filter((path) => !existsSync(join(`${app.archive}.unpacked`, path)))).toEqual([])
  })

  test('holds nothing that only those need who work on Headgate', () => {
    const strange = paths.filter(
      (path) =>
        !/^(out\/(main|preload|renderer)\/|node_modules\/|package\.json$|resources\/(tray\/)?[^/]+\.png$)/.test(path),
    )
    expect(strange).toEqual([])
    expect(paths.filter((path) => /\.(map|ts|tsx|md|gyp|cc|cpp|h)$/.test(path))).toEqual([])
    expect(paths.filter((path) => /(^|\/)(\.env|\.npmrc|\.git)|\.(pem|key|p12|sqlite|db|log)$/.test(path))).toEqual([])
    const modules = new Set(paths.map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]))
    const tools = [
      'electron',
      'electron-builder',
      'electron-updater',
      'vite',
      'vitest',
      'typescript',
      'react',
      'playwright',
    ]
    for (const name of tools) expect(modules).not.toContain(name)
  })

  test('names nothing of the machine that made it, and no feed that somebody would be asked at', () => {
    const names = [root, homedir(), hostname()].filter((name) => name.length > 5)
    const texts = files.filter(({ path }) => /\.(c?js|mjs|json|html|css)$/.test(path))
    const telling = texts.filter((file) => {
      const text = contentOf(file).toString('utf8')
      return names.some((name) => text.includes(name))
    })
    expect(telling.map(({ path }) => path)).toEqual([])
    const feed = readFileSync(join(app.folder, 'resources/app-update.yml'), 'utf8')
    expect(/url: (.*)/.exec(feed)?.[1]).toBe('https://headgate.invalid')
  })

  test('has a manifest that starts the app and installs nothing', () => {
    const manifest: unknown = JSON.parse(extractFile(app.archive, 'package.json').toString('utf8'))
    expect(manifest).toMatchObject({
      name: 'headgate',
      main: './out/main/index.js',
      type: 'module',
      desktopName: 'headgate.desktop',
    })
    expect(manifest).not.toHaveProperty('devDependencies')
    expect(manifest).not.toHaveProperty('scripts')
  })

  test('says the digest of each file in it, and each is right', () => {
    const wrong = files.filter((file) => file.hash !== sha256(contentOf(file)))
    expect(wrong.map(({ path }) => path)).toEqual([])
  })

  test('has of each package the file that Node loads', () => {
    const { dependencies } = JSON.parse(extractFile(app.archive, 'package.json').toString('utf8')) as {
      dependencies: Record<string, string>
    }
    const there = new Set(files.map(({ path }) => path))
    const from = createRequire(join(root, 'src/main/main.ts'))
    // bson and the rest come with mongodb and the AWS SDK.
    const loaded = [...Object.keys(dependencies), 'bson', 'bowser', '@mongodb-js/saslprep'].flatMap((name) => [
      relative(root, from.resolve(name)),
      relative(root, fileURLToPath(import.meta.resolve(name))),
    ])
    expect(loaded.length).toBeGreaterThan(40)
    expect(loaded.filter((path) => !there.has(path))).toEqual([])
    // It reads its own words by name.
    const words = 'node_modules/@zxcvbn-ts/language-common/dist'
    expect(there).toContain(`${words}/passwords.json.cjs`)
  })

  test('stays small: 40 MB in the archive, 90 MB beside it', () => {
    expect(statSync(app.archive).size).toBeLessThan(40e6)
    const beside = files.filter(({ unpacked }) => unpacked).reduce((sum, { size }) => sum + size, 0)
    expect(beside).toBeLessThan(90e6)
  })
})

test('Electron’s switches are set in the executable as decided', async () => {
  const wire = await getCurrentFuseWire(app.executable)
  const on = Object.entries(wire)
    .filter(([, state]) => state === FuseState.ENABLE)
    .map(([fuse]) => FuseV1Options[Number(fuse)])
  expect(on).toEqual([
    'EnableCookieEncryption',
    'EnableEmbeddedAsarIntegrityValidation',
    'OnlyLoadAppFromAsar',
    'WasmTrapHandlers',
  ])
})

test('Chromium speaks the languages of the window and no others', () => {
  expect(readdirSync(join(app.folder, 'locales')).toSorted()).toEqual(['de.pak', 'en-US.pak'])
})

describe('the Debian package', () => {
  let tree: string

  beforeAll(() => {
    tree = join(temporary, 'deb')
    execFileSync('dpkg-deb', ['--raw-extract', app.deb, tree])
  })

  const read = (path: string): string => readFileSync(join(tree, path), 'utf8')

  test('installs the app, its icons, its entry in the menu and its type of file', () => {
    expect(existsSync(join(tree, 'opt/Headgate/headgate'))).toBe(true)
    expect(sha256(readFileSync(join(tree, 'opt/Headgate/resources/app.asar')))).toBe(sha256(readFileSync(app.archive)))
    expect(read('opt/Headgate/resources/package-type')).toBe('deb')
    for (const size of [16, 24, 32, 48, 64, 128, 256, 512, 1024]) {
      const icon = readFileSync(join(tree, `usr/share/icons/hicolor/${size}x${size}/apps/headgate.png`))
      expect(icon.readUInt32BE(16)).toBe(size)
    }
    expect(read('DEBIAN/control')).toMatch(/^Package: headgate$/m)
    expect(read('DEBIAN/postinst')).toContain('/usr/bin/headgate')
  })

  test('its entry opens files and links, belongs to its windows, and takes no type from other programs', () => {
    const entry = Object.fromEntries(
      read('usr/share/applications/headgate.desktop')
        .split('\n')
        .filter((line) => line.includes('='))
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    )
    expect(entry).toMatchObject({
      Name: 'Headgate',
      Exec: '/opt/Headgate/headgate %U',
      Icon: 'headgate',
      StartupWMClass: 'headgate',
      Categories: 'Development;',
      Terminal: 'false',
    })
    expect(entry.MimeType?.split(';').filter(Boolean).toSorted()).toEqual([
      'application/vnd.headgate.bundle+ndjson',
      'application/x-yaml',
      'application/yaml',
      'text/yaml',
      'x-scheme-handler/headgate',
    ])
    const types = read('usr/share/mime/packages/headgate.xml')
    expect([...types.matchAll(/glob pattern="([^"]+)"/g)].map(([, glob]) => glob)).toEqual(['*.headgate.ndjson'])
  })

  test('the system’s database of types takes bundles for bundles and leaves YAML as it is', () => {
    const mime = join(temporary, 'mime/packages')
    execFileSync('sh', ['-c', `mkdir -p "${mime}" && cp "${tree}/usr/share/mime/packages/headgate.xml" "${mime}"`])
    execFileSync('update-mime-database', [join(temporary, 'mime')])
    const globs = readFileSync(join(temporary, 'mime/globs2'), 'utf8')
    expect(globs.split('\n').filter((line) => line && !line.startsWith('#'))).toEqual([
      '50:application/vnd.headgate.bundle+ndjson:*.headgate.ndjson',
    ])
  })
})

describe('on other systems', () => {
  const headerDigest = (archive: string): string => sha256(getRawHeader(archive).headerString)

  test('the Mac’s app knows the digest of its archive, its fuses, and what it opens without taking it from others', async () => {
    const list = readFileSync(join(app.mac, 'Info.plist'), 'utf8').replaceAll(/>\s+</g, '><')
    expect(list).toContain(
      `<key>Resources/app.asar</key><dict><key>algorithm</key><string>SHA256</string><key>hash</key><string>${headerDigest(join(app.mac, 'Resources/app.asar'))}</string>`,
    )
    expect(list).toContain('<key>CFBundleIdentifier</key><string>org.headgate.desktop</string>')
    expect(list).toContain('<key>CFBundleURLSchemes</key><array><string>headgate</string></array>')
    expect(list.match(/<string>(ndjson|yaml|yml)<\/string>/g)).toHaveLength(3)
    expect(new Set(list.match(/<key>LSHandlerRank<\/key><string>\w+/g))).toEqual(
      new Set(['<key>LSHandlerRank</key><string>Alternate']),
    )
    expect(existsSync(join(app.mac, 'Resources/icon.icns'))).toBe(true)
    const wire = await getCurrentFuseWire(join(app.mac, '..'))
    expect(wire[FuseV1Options.EnableEmbeddedAsarIntegrityValidation]).toBe(FuseState.ENABLE)
    expect(wire[FuseV1Options.RunAsNode]).toBe(FuseState.DISABLE)
  })

  test('the Windows program holds the digest of its archive, its fuses, its name and its icon', async () => {
    const program = join(app.windows, 'Headgate.exe')
    const content = readFileSync(program)
    const digest = headerDigest(join(app.windows, 'resources/app.asar'))
    expect(content.includes(`[{"file":"resources\\\\app.asar","alg":"SHA256","value":"${digest}"}]`)).toBe(true)
    expect(content.includes(Buffer.from('Headgate', 'utf16le'))).toBe(true)
    const icon = readFileSync(join(root, 'resources/icons/256x256.png'))
    expect(content.includes(icon)).toBe(true)
    const wire = await getCurrentFuseWire(program)
    expect(wire[FuseV1Options.OnlyLoadAppFromAsar]).toBe(FuseState.ENABLE)
    expect(wire[FuseV1Options.RunAsNode]).toBe(FuseState.DISABLE)
  })
})
