/**
 * Who may import whom, as docs/ARCHITECTURE.md draws it. Everything that is not allowed here fails `npm run check`.
 * @type {import('dependency-cruiser').IConfiguration}
 */
const layer = (name, from, mayImport, why) => ({
  name,
  severity: 'error',
  comment: why,
  from: { path: from },
  to: { path: '^src/', pathNot: [from, ...mayImport] },
})
const only = (name, packages, allowed, why) => ({
  name,
  severity: 'error',
  comment: why,
  from: { path: '^src/', pathNot: allowed },
  to: { path: packages.map((p) => `(^|/)node_modules/${p}(/|$)`) },
})

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      comment: 'A cycle hides who depends on whom',
      from: { path: '^src/' },
      to: { circular: true },
    },
    {
      name: 'no-circular-in-tests',
      severity: 'error',
      comment: 'Objects of the stand-in know each other by their types, as those of Electron do',
      from: { path: '^(test|tools)/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'not-to-unresolvable',
      severity: 'error',
      from: { path: '^(src|test|tools)/' },
      to: { couldNotResolve: true, pathNot: ['^virtual:'] },
    },
    layer('language-stands-alone', '^src/language/', [], 'The language is pure and runs in the browser'),
    layer('process-stands-alone', '^src/process/', [], 'Child processes know nothing of what they carry'),
    layer('contract-knows-language', '^src/contract/', ['^src/language/'], 'Contract is schemas only'),
    layer(
      'server-layers',
      '^src/server/',
      ['^src/contract/', '^src/language/', '^src/process/'],
      'The server serves; it reaches executors over REST only',
    ),
    layer(
      'executor-layers',
      '^src/executor/',
      ['^src/contract/', '^src/language/', '^src/process/'],
      'An executor may run on another machine',
    ),
    layer(
      'renderer-layers',
      '^src/renderer/',
      ['^src/contract/', '^src/language/'],
      'The window is a client of the REST interface like any script',
    ),
    layer(
      'cli-layers',
      '^src/cli/',
      [
        '^src/contract/',
        '^src/language/',
        '^src/executor/(engine/|redact\\.ts$|worker-protocol\\.ts$)',
        '^src/server/platform/(audit-chain|store-head)\\.ts$',
        '^src/server/features/metrics/rebuild-metrics\\.ts$',
        '^src/process/(backup-folders|data-dir|own-places)\\.ts$',
      ],
      'The command line runs the engine in its own process, without a server',
    ),
    {
      name: 'cli-starts-fast',
      severity: 'error',
      comment: 'validate and schema load no database engine: the executor is imported when a task is to be run',
      from: { path: '^src/cli/' },
      to: { path: '^src/executor/', dependencyTypesNot: ['type-only', 'dynamic-import'] },
    },
    layer('main-layers', '^src/main/', ['^src/contract/', '^src/process/'], 'Main forks the server by path'),
    {
      name: 'platform-below-features',
      severity: 'error',
      comment: 'Features build on the platform, never the other way round',
      from: { path: '^src/server/platform/' },
      to: { path: '^src/server/(features/|app\\.ts|start\\.ts)' },
    },
    {
      name: 'features-meet-through-services',
      severity: 'error',
      comment: "A feature sees another feature's service, nothing else of it",
      from: { path: '^src/server/features/([^/]+)/' },
      to: { path: '^src/server/features/', pathNot: ['^src/server/features/$1/', '\\.service\\.ts$'] },
    },
    {
      name: 'tables-are-read-by-stores',
      severity: 'error',
      comment: 'SQL stands in stores only',
      from: { path: '^src/server/features/', pathNot: ['\\.(store|table)\\.ts$'] },
      to: { path: '\\.table\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'language-and-contract-are-browser-safe',
      severity: 'error',
      from: { path: '^src/(language|contract|renderer)/' },
      to: { dependencyTypes: ['core'] },
    },
    only('electron-in-main', ['electron'], ['^src/main/'], 'Everything else also runs under Node'),
    only(
      'fastify-in-routes',
      ['fastify', '@fastify'],
      [
        '^src/server/app\\.ts$',
        '\\.routes\\.ts$',
        '^src/server/platform/(http|sse|streams|static|idempotency)[a-z-]*\\.ts$',
        '^src/server/features/docs/',
      ],
      'Routes translate; nothing below them knows HTTP',
    ),
    only(
      'sqlite-in-stores',
      ['better-sqlite3', 'drizzle-orm'],
      ['^src/server/platform/', '\\.(store|table)\\.ts$', '^src/executor/'],
      'SQL stands in stores only',
    ),
    only(
      'engine-in-executor',
      ['@duckdb', 'pg', 'pg-copy-streams'],
      ['^src/executor/'],
      'A driver that fails to load must not take the server down',
    ),
    only(
      'croner-in-triggers',
      ['croner'],
      ['^src/server/features/triggers/'],
      'When a trigger fires is said in one place: what a library makes of summer time is not it',
    ),
    { name: 'src-needs-no-test', severity: 'error', from: { path: '^src/' }, to: { path: '^(test|tools)/' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(out|out-[^/]+|docs)/' },
    tsPreCompilationDeps: true,
    parser: 'swc',
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
}
