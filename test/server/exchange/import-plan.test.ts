import { describe, expect, test } from 'vitest'
import type { BundleRecord } from '../../../src/server/features/exchange/bundle-records.ts'
import { type Here, type ImportOptions, planImport } from '../../../src/server/features/exchange/import-plan.rules.ts'

const version = (number: number, yaml_content: string) => ({
  version: number,
  yaml_content,
  change_summary: null,
  created_at: null,
})
/** Texts of versions 1, 2, …; null leaves a number out. */
const texts = (history: (string | null)[]) =>
  history.flatMap((text, index) => (text === null ? [] : [version(index + 1, text)]))
const record = (history: (string | null)[], more: Partial<BundleRecord> = {}): BundleRecord => ({
  kind: 'task',
  name: 'a',
  tags: null,
  archived: false,
  current_version: history.length,
  versions: texts(history),
  ...more,
})
const here = (history: (string | null)[], more: Partial<Here> = {}): Here => ({
  current_version: history.length,
  archived: false,
  tags: [],
  texts: new Map(texts(history).map((one) => [one.version, one.yaml_content])),
  newest: history.length,
  ...more,
})
const options = (more: Partial<ImportOptions> = {}): ImportOptions => ({
  mode: 'upsert_current',
  conflict_policy: 'overwrite',
  archived_task_policy: 'skip',
  ...more,
})
/** Action, the versions that are added with their texts, and the current version after. */
function outcome(bundle: BundleRecord, stored: Here | undefined, more: Partial<ImportOptions> = {}) {
  const plan = planImport(bundle, stored, options(more))
  if (plan.action === 'create') return ['create', plan.versions.map((one) => `${one.version}=${one.yaml_content}`)]
  if (plan.action !== 'update') return [plan.action]
  const added = plan.add.map((one) => `${one.version}=${one.from.yaml_content}`)
  return ['update', added, plan.current_version]
}

const all = { mode: 'upsert_all_versions' } as const
describe('what becomes of a record', () => {
  test.each<[string, BundleRecord, Here | undefined, Partial<ImportOptions>, unknown[]]>([
    ['new', record(['A', 'B']), undefined, {}, ['create', ['2=B']]],
    ['new, with history', record(['A', 'B']), undefined, all, ['create', ['1=A', '2=B']]],
    ['new, current is not the newest', record(['A', 'B'], { current_version: 1 }), undefined, {}, ['create', ['1=A']]],
    ['the same', record(['A', 'B']), here(['A', 'B']), {}, ['unchanged']],
    ['the same text under another number', record(['A', 'B', 'C']), here(['C']), {}, ['unchanged']],
    ['another text', record(['A', 'B']), here(['A']), {}, ['update', ['2=B'], 2]],
    ['an older text that is here', record(['A']), here(['A', 'B']), {}, ['update', ['3=A'], 3]],
    ['other tags', record(['A'], { tags: ['x'] }), here(['A']), {}, ['update', [], 1]],
    ['tags that are not said', record(['A']), here(['A'], { tags: ['x'] }), {}, ['unchanged']],
    ['history that goes on', record(['A', 'B', 'C']), here(['A']), all, ['update', ['2=B', '3=C'], 3]],
    ['history that was left out', record(['A', 'B', 'C']), here([null, null, 'C']), all, ['update', ['1=A', '2=B'], 3]],
    ['history that is shorter', record(['A', 'B']), here(['A', 'B', 'C']), all, ['update', ['4=B'], 4]],
    ['history that parts', record(['A', 'B', 'C']), here(['A', 'X']), all, ['update', ['3=B', '4=C'], 4]],
    ['history that has parted and is here', record(['A', 'B', 'C']), here(['A', 'X', 'B', 'C']), all, ['unchanged']],
    ['history that comes back', record(['A', 'B', 'A']), here(['A', 'X']), all, ['update', ['3=B', '4=A'], 4]],
    ['conflict: skip', record(['B']), here(['A']), { conflict_policy: 'skip' }, ['skip']],
    ['conflict: error', record(['B']), here(['A']), { conflict_policy: 'error' }, ['error']],
    ['no conflict: skip', record(['A']), here(['A']), { conflict_policy: 'skip' }, ['unchanged']],
    ['no conflict: error', record(['A']), here(['A']), { conflict_policy: 'error' }, ['unchanged']],
    [
      'missing history is a conflict',
      record(['A', 'B']),
      here([null, 'B']),
      { ...all, conflict_policy: 'error' },
      ['error'],
    ],
    ['create_only', record(['A']), here(['A']), { mode: 'create_only' }, ['skip']],
    ['create_only, new', record(['A']), undefined, { mode: 'create_only' }, ['create', ['1=A']]],
    ['create_only, error', record(['A']), here(['A']), { mode: 'create_only', conflict_policy: 'error' }, ['error']],
    ['archived here', record(['B']), here(['A'], { archived: true }), {}, ['skip']],
    ['archived here, the same', record(['A']), here(['A'], { archived: true }), {}, ['skip']],
    [
      'archived in both, the same',
      record(['A'], { archived: true }),
      here(['A'], { archived: true }),
      {},
      ['unchanged'],
    ],
    [
      'kept archived',
      record(['B']),
      here(['A'], { archived: true }),
      { archived_task_policy: 'keep_archived' },
      ['update', ['2=B'], 2],
    ],
    [
      'kept archived, the same',
      record(['A']),
      here(['A'], { archived: true }),
      { archived_task_policy: 'keep_archived' },
      ['unchanged'],
    ],
    [
      'restored, the same',
      record(['A']),
      here(['A'], { archived: true }),
      { archived_task_policy: 'restore' },
      ['update', [], 1],
    ],
    [
      'archived in both, restore',
      record(['A'], { archived: true }),
      here(['A'], { archived: true }),
      { archived_task_policy: 'restore' },
      ['unchanged'],
    ],
  ])('%s', (_, bundle, stored, more, expected) => {
    expect(outcome(bundle, stored, more)).toEqual(expected)
  })

  test.each([
    ['restore', true],
    ['keep_archived', false],
  ] as const)('%s takes it out of the archive: %s', (archived_task_policy, unarchive) => {
    const plan = planImport(record(['B']), here(['A'], { archived: true }), options({ archived_task_policy }))
    expect(plan).toMatchObject({ action: 'update', unarchive })
  })
})
