import { describe, expect, test } from 'vitest'
import type { TaskNode } from '../../../src/language/job/job.types.ts'
import type { Json } from '../../../src/language/task/task.types.ts'
import { parseTask } from '../../../src/language/task/parse-task.ts'
import { type ConnectorKind, fitOverride } from '../../../src/server/features/jobs/job-override.rules.ts'

const text = `etl: 1
kind: pipeline
name: orders
connectors:
  src: {type: file}
  out: {types: [file, s3], access: write}
args:
  day: {type: date, required: true}
  least: {type: integer, default: 1}
source: {connector: src, files: {glob: "\${{ args.day }}-\${{ args.least }}.csv"}}
target: {connector: out, file: {path: out.csv}}
`
const node = (connectors: Record<string, string>, args: Record<string, Json>): TaskNode => ({
  kind: 'task',
  key: 'orders',
  description: null,
  depends_on: [],
  run_if: 'all_success',
  when: null,
  task: 'orders',
  version: null,
  connectors,
  args,
  for_each: null,
  retries: null,
  timeout_ms: null,
  on_failure: 'fail',
  pool: null,
  priority: 0,
})
const kinds: Record<string, ConnectorKind> = {
  lake: { name: 'Lake', type: 'file', read_only: false },
  bucket: { name: 'Bucket', type: 's3', read_only: true },
  shop: { name: 'Shop', type: 'sqlite', read_only: false },
}
const fitting = node({ src: 'lake', out: 'lake' }, { day: '${{ run.logical_date }}' })
const findings = (of: TaskNode, yaml = text) =>
  fitOverride(yaml, parseTask(yaml), of, (name) => kinds[name]).map(
    ({ code, path, line, column, message }) => `${line}:${column} ${code} ${path}: ${message}`,
  )

describe('YAML that a job runs instead of a task', () => {
  test('fits when it has the slots that are bound and takes what is given', () => {
    expect(parseTask(text).diagnostics).toEqual([])
    expect(findings(fitting)).toEqual([])
    expect(findings(node(fitting.connectors, { day: '2026-02-28', least: 3 }))).toEqual([])
  })

  test('is refused for its own errors alone, at their places', () => {
    expect(findings(node({}, {}), text.replace('kind: pipeline', 'kind: pipline'))).toEqual([
      expect.stringMatching(/^2:7 not_one_of kind: /),
    ])
  })

  test('is refused for a slot that nothing is bound to, and for one that is bound but missing', () => {
    expect(findings(node({ src: 'lake', dest: 'lake' }, fitting.args))).toEqual([
      '4:1 unknown_slot connectors: The job template binds the slot `dest`, which this YAML does not have. It has src, out.',
      '6:3 slot_unbound connectors.out: The job template binds nothing to the slot `out`; it binds src, dest.',
    ])
  })

  test('is refused for a slot that does not take what the job binds there, or writes to what is read only', () => {
    expect(findings(node({ src: 'shop', out: 'bucket' }, fitting.args))).toEqual([
      expect.stringMatching(/^5:3 slot_type connectors\.src: .* takes a file connector; the job binds Shop there/),
      expect.stringMatching(/^6:3 slot_access connectors\.out: .* Bucket there, which is read only/),
    ])
  })

  test('is refused for arguments that the template does not give, gives wrongly, or gives in vain', () => {
    expect(findings(node(fitting.connectors, { least: 'many', more: 1 }))).toEqual([
      expect.stringMatching(/^7:1 unknown_argument args: .*`more`/),
      expect.stringMatching(/^8:3 argument_missing args\.day: /),
      expect.stringMatching(/^9:3 argument_not_allowed args\.least: .* must be a whole number, not "many"/),
    ])
  })

  test('names that every object has are no slots and no arguments', () => {
    expect(findings(node({ ...fitting.connectors, constructor: 'lake' }, { ...fitting.args, toString: 1 }))).toEqual([
      expect.stringContaining('`constructor`'),
      expect.stringContaining('`toString`'),
    ])
  })

  test('without the section that is at fault the finding stands on the first line', () => {
    const bare =
      'etl: 1\nkind: sql\nname: s\nconnectors: {db: {type: sqlite, access: write}}\nsql: {connector: db, statements: ["DELETE FROM t"]}\n'
    expect(parseTask(bare).diagnostics).toEqual([])
    expect(findings(node({ db: 'shop' }, { day: 1 }), bare)).toEqual([
      expect.stringMatching(/^1:1 unknown_argument args: /),
    ])
  })
})
