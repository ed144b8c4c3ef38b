// `npm run package`: the packages of the system that this runs on, in `dist`. `-- --dir` only lays out the app that would be packed.
// Arguments of other systems (`--linux`, `--mac`, `--win`) work as far as electron-builder can build for them here: packages with
// native parts install their libraries for one system alone, so each system's package is made on that system.
import { Arch, build, Platform } from 'electron-builder'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { packageConfig } from './config.ts'

const { values } = parseArgs({
  options: {
    dir: { type: 'boolean', default: false },
    linux: { type: 'boolean', default: false },
    mac: { type: 'boolean', default: false },
    win: { type: 'boolean', default: false },
    /** An unpacked Electron, where none can be downloaded. */
    electron: { type: 'string' },
    built: { type: 'string', default: 'out' },
    output: { type: 'string', default: 'dist' },
  },
})

const chosen = [values.linux && Platform.LINUX, values.mac && Platform.MAC, values.win && Platform.WINDOWS].filter(
  (platform) => platform !== false,
)
const arch = Arch[process.arch as keyof typeof Arch]
const targets = new Map(
  (chosen.length > 0 ? chosen : [Platform.current()]).flatMap((platform) => [
    ...platform.createTarget(values.dir ? 'dir' : null, arch),
  ]),
)

const { electron } = values
const made = await build({
  projectDir: resolve(import.meta.dirname, '../..'),
  targets,
  publish: 'never',
  config: packageConfig({
    built: values.built,
    output: values.output,
    electron: electron === undefined ? undefined : () => electron,
  }),
})
for (const file of made) console.log(file)
