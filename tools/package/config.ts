// What electron-builder makes of the built app. A function, so that tests package another build with another Electron.
import type { Configuration } from 'electron-builder'
import { fuses } from './fuses.ts'

export interface PackageOptions {
  /** The folder that `npm run build` wrote, relative to the project. */
  built: string
  /** Where the packages go. */
  output: string
  /** The folder of an unpacked Electron, by system; without it electron-builder downloads one. */
  electron?: (system: string) => string
}

const product = 'Headgate'
const bundles = { description: 'Headgate bundle', mimeType: 'application/vnd.headgate.bundle+ndjson' }

export function packageConfig({ built, output, electron }: PackageOptions): Configuration {
  return {
    appId: 'org.headgate.desktop',
    productName: product,
    copyright: 'The Headgate authors, MIT license',
    directories: { output, buildResources: 'resources' },
    electronDist: electron && (({ platformName }) => electron(platformName)),
    // Chromium's own words, in the languages that the window speaks.
    electronLanguages: ['en-US', 'de'],
    files: [
      { from: built, to: 'out', filter: ['{main,preload,renderer}/**', '!**/*.map'] },
      'package.json',
      'resources/**/*.png',
      '!resources/{demo,gallery,workspace,icons}/**',
      ...leftOutOfModules,
    ],
    // Unpacked is what `asarUnpack` names: not all of each package that holds such a file.
    asar: { smartUnpack: false },
    // The system's loader opens these by itself, and it cannot look into an archive. All else, threads and child processes
    // included, is read through Electron from the archive, whose digest is checked.
    asarUnpack: ['**/*.node', '**/*.{so,dylib,dll}', '**/*.so.*'],
    // Every native part is a finished Node-API library from its package: there is nothing to compile for Electron.
    npmRebuild: false,
    electronFuses: fuses,
    extraMetadata: {
      // How Linux desktops tell which windows belong to which entry of their menu.
      desktopName: 'headgate.desktop',
      homepage: 'https://headgate.invalid',
      author: { name: 'The Headgate authors', email: 'authors@headgate.invalid' },
    },
    artifactName: '${name}-${version}-${os}-${arch}.${ext}',
    // Makes electron-builder write latest*.yml, which the app reads in the folder that its user names. The address here
    // is never asked: `src/main/updates/updates.ts` says where to look, and without it nobody is asked.
    publish: [{ provider: 'generic', url: 'https://headgate.invalid' }],
    protocols: [{ name: product, schemes: ['headgate'] }],
    linux: {
      target: ['AppImage', 'deb'],
      executableName: 'headgate',
      icon: 'resources/icons',
      category: 'Development',
      synopsis: 'ETL on your own machine',
      description: 'Tasks in YAML, runs, connectors and data: offline and on one machine.',
      syncDesktopName: true,
      // The system finds bundles by their whole ending. YAML has a type already: Headgate is offered for it, and whoever opens it
      // by default today goes on doing so.
      fileAssociations: [{ ext: 'headgate.ndjson', ...bundles }],
      mimeTypes: ['application/yaml', 'application/x-yaml', 'text/yaml'],
      desktop: { entry: { Keywords: 'ETL;data;pipeline;SQL;YAML;', GenericName: 'Data pipelines' } },
    },
    deb: { packageCategory: 'utils', priority: 'optional', compression: 'xz' },
    mac: {
      target: ['dmg', 'zip'],
      icon: 'resources/icons/icon.icns',
      category: 'public.app-category.developer-tools',
      hardenedRuntime: true,
      entitlements: 'tools/package/entitlements.mac.plist',
      entitlementsInherit: 'tools/package/entitlements.mac.plist',
      extendInfo: { NSHumanReadableCopyright: 'The Headgate authors, MIT license' },
      // Mac and Windows look at what follows the last dot alone.
      fileAssociations: [
        { ext: 'ndjson', name: bundles.description, role: 'Editor', rank: 'Alternate' },
        { ext: ['yaml', 'yml'], name: 'YAML document', role: 'Editor', rank: 'Alternate' },
      ],
    },
    dmg: { title: '${productName} ${version}' },
    win: { target: ['nsis'], icon: 'resources/icons/icon.ico' },
    nsis: {
      oneClick: false,
      perMachine: false,
      allowToChangeInstallationDirectory: true,
      // Data folders are the user's.
      deleteAppDataOnUninstall: false,
      include: 'tools/package/associations.nsh',
    },
  }
}

/** Of the packages that the build leaves outside (`dependencies`), what is not needed to run them. */
const leftOutOfModules = [
  '!**/node_modules/**/*.{map,ts,mts,cts,tsx,md,markdown,flow,c,cc,cpp,h,hpp,gyp,gypi}',
  '!**/node_modules/**/{test,tests,__tests__,example,examples,benchmark,benchmarks,.github,.vscode}/**',
  '!**/node_modules/cpu-features/deps/**',
  // Compiled for the Node of the machine that installed it, where there is a compiler: Electron cannot load it, and ssh2 does without.
  '!**/node_modules/{cpu-features,ssh2/lib/protocol/crypto}/build/**',
  '!**/node_modules/.bin/**',
  // Builds for browsers and other module systems, next to the one that Node loads.
  '!**/node_modules/@mongodb-js/saslprep/dist/*browser*',
  '!**/node_modules/bson/lib/bson.{rn.cjs,bundle.js}',
  '!**/node_modules/@zxcvbn-ts/language-common/{src/**,dist/zxcvbn-ts.js,dist/*.mjs}',
  '!**/node_modules/{@aws-sdk,@smithy}/**/dist-es/**',
  '!**/node_modules/bowser/bundled.js',
  '!**/node_modules/@fastify/swagger-ui/static/swagger-ui.js',
  '!**/node_modules/undici/{docs,scripts}/**',
  '!**/node_modules/better-sqlite3/{deps,src,prebuilds}/**',
  'node_modules/better-sqlite3/prebuilds/${platform}-${arch}.node',
]
