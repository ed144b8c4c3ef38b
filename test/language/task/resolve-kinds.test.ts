import { describe, expect, it } from 'vitest'
import { parseTask } from '../../../src/language/task/parse-task.ts'
import { evaluateHook, evaluateOutputs, resolveTask } from '../../../src/language/task/resolve-task.ts'
import type { TaskDocument } from '../../../src/language/task/kinds/task-document.types.ts'

const run = { id: 7, attempt: 1, logical_date: '2024-03-05T06:07:08.000Z' }

function task<K extends TaskDocument['kind']>(kind: K, rest: string): Extract<TaskDocument, { kind: K }> {
  const { task: read, diagnostics } = parseTask(`etl: 1\nkind: ${kind}\nname: x\nargs: {a: {type: json}}\n${rest}\n`)
  expect(diagnostics.filter((diagnostic) => diagnostic.severity === 'error')).toEqual([])
  return read as Extract<TaskDocument, { kind: K }> // just read as of that kind
}
const api = 'connectors: {api: {type: http, access: read_write}}'
const db = 'connectors: {db: {type: sqlite, access: write}}'
const problems = (document: TaskDocument, a: unknown): string[] =>
  resolveTask(document, { args: { a }, run }).problems.map(({ path, message }) => `${path}: ${message}`)

describe('a request', () => {
  const http = task(
    'http',
    `${api}
http:
  connector: api
  path: "/v1/\${{ args.a }}"
  query: {a: "\${{ args.a }}", n: 5}
  headers: {X-A: "\${{ args.a }}", X-Empty: ""}
  body: {a: ["\${{ args.a }}"]}
  success: "\${{ response.status = 200 }}"`,
  )
  it('gets its values, and keeps `success` for later', () => {
    expect(resolveTask(http, { args: { a: 'x' }, run })).toMatchObject({
      problems: [],
      task: {
        http: {
          request: {
            path: '/v1/x',
            query: { a: 'x', n: 5 },
            headers: { 'X-A': 'x', 'X-Empty': '' },
            body: { a: ['x'] },
          },
          success: '${{ response.status = 200 }}',
        },
      },
    })
  })
  it.each([
    ['../admin', 'http.path: The path leaves the base URL with `..`.'],
    ['%2e%2E/admin', 'http.path: The path leaves the base URL with `..`.'],
    ['a b', 'http.path: The path contains a space, a backslash, `#`, or a control character.'],
    ['a\r\nX-Evil: 1', 'http.headers.X-A: A header must be one line.'],
    ['a#b', 'http.path: The path contains a space, a backslash, `#`, or a control character.'],
  ])('never goes elsewhere with an argument like %j', (a, problem) => {
    expect(problems(http, a)).toContain(problem)
  })
  it.each(['//elsewhere.example/x', '\\\\elsewhere.example', 'https://elsewhere.example', 'javascript:x'])(
    'never takes %s for a path',
    (a) => {
      const whole = task('http', `${api}\nhttp: {connector: api, path: "\${{ args.a }}"}`)
      expect(problems(whole, a)).toHaveLength(1)
    },
  )
})

describe('a command', () => {
  const command = task(
    'command',
    'command: {argv: [ls, "${{ args.a }}", "--n=${{ args.a }}"], env: {A: "${{ args.a }}"}}',
  )
  it('gets its values as they are: there is no shell to quote for', () => {
    const { task: resolved, problems: found } = resolveTask(command, { args: { a: '$(rm -rf /); *' }, run })
    expect(found).toEqual([])
    expect(resolved.command).toEqual({
      argv: ['ls', '$(rm -rf /); *', '--n=$(rm -rf /); *'],
      env: { A: '$(rm -rf /); *' },
      success_codes: [0],
    })
    expect(resolveTask(command, { args: { a: '' }, run }).problems).toEqual([])
  })
  it('takes no NUL, no list and nothing', () => {
    expect(problems(command, 'a\0b')).toHaveLength(3)
    expect(problems(command, [1])[0]).toMatch(/^command\.argv\[1\]: .*a list/)
    expect(problems(command, null)[0]).toMatch(/^command\.argv\[1\]: .*nothing/)
  })
})

describe('SQL', () => {
  it('takes values as binds, and a table name only where it is one', () => {
    const sql = task('sql', `${db}\nsql: {connector: db, create_as: "t_\${{ args.a }}", query: "SELECT :a AS a"}`)
    expect(resolveTask(sql, { args: { a: 5 }, run }).task.sql).toMatchObject({
      work: { table: 't_5', query: 'SELECT :a AS a' },
      params: { a: 5 },
    })
    expect(problems(sql, 'x; DROP TABLE y')).toHaveLength(1)
    expect(problems(sql, 'a.b.c')).toHaveLength(1)
  })
})

describe('a hook', () => {
  const hooked = task(
    'script',
    `${db}
script: return 1
hooks:
  after: [{connector: db, sql: "INSERT INTO t VALUES (:r, :a)", params: {r: "\${{ result.n }}"}}]
outputs: {n: "\${{ result.n }}"}`,
  )
  it('is evaluated when its turn comes', () => {
    const [hook] = hooked.hooks.after
    if (!hook) throw new Error('there is one')
    expect(resolveTask(hooked, { args: { a: 1 }, run }).task.hooks).toEqual(hooked.hooks)
    const scope = { args: { a: 1 }, run, result: { n: 2 } }
    expect(evaluateHook(hook, scope, 'hooks.after[0]')).toMatchObject({
      hook: { params: { r: 2, a: 1 } },
      problems: [],
    })
    expect(evaluateOutputs(hooked, scope)).toEqual({ outputs: { n: 2 }, problems: [] })
  })
})
