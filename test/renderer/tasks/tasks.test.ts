import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { taskSchema } from '../../../src/language/task/task-schema.ts'
import type { ArgumentSpec } from '../../../src/language/task/task.types.ts'
import { fieldsOf, readFields } from '../../../src/renderer/features/tasks/argument-fields.ts'
import { defaultText, readValue, showValue } from '../../../src/renderer/features/tasks/argument-values.ts'
import { fillMapping, inputsOf, recallInputs, rememberInputs } from '../../../src/renderer/features/tasks/run-inputs.ts'
import { galleryTasks } from '../../../src/renderer/features/tasks/gallery.ts'
import { differs, schemaDiff } from '../../../src/renderer/features/tasks/schema-diff.ts'
import type { KeyValueStore } from '../../../src/renderer/ui/document/draft.ts'
import { findHelp, helpEntries } from '../../../src/renderer/ui/document/schema-help.ts'
import { stageAt, stageLines } from '../../../src/renderer/features/tasks/stage-lines.ts'
import { dropDraft, keepDraft, recallDraft } from '../../../src/renderer/ui/document/draft.ts'

function memory(): KeyValueStore {
  const held = new Map<string, string>()
  return {
    getItem: (key) => held.get(key) ?? null,
    setItem: (key, value) => void held.set(key, value),
    removeItem: (key) => void held.delete(key),
  }
}
const full: KeyValueStore = {
  getItem: () => null,
  setItem: () => {
    throw new DOMException('full', 'QuotaExceededError')
  },
  removeItem: () => {},
}

describe('what a step does to the columns', () => {
  const columns = (...pairs: [string, string][]) => pairs.map(([name, type]) => ({ name, type }))
  it('is told as added, removed and retyped', () => {
    const diff = schemaDiff(columns(['a', 'VARCHAR'], ['b', 'BIGINT']), columns(['a', 'DATE'], ['c', 'DOUBLE']))
    expect([...diff.added]).toEqual(['c'])
    expect(diff.removed).toEqual(columns(['b', 'BIGINT']))
    expect([...diff.retyped]).toEqual([['a', 'VARCHAR']])
    expect(differs(diff)).toBe(true)
  })
  it('is nothing for the source', () => {
    expect(differs(schemaDiff(undefined, columns(['a', 'DATE'])))).toBe(false)
  })
})

describe('stages in the text', () => {
  const yaml = galleryTasks().find((one) => one.id === 'files-csv-to-table')?.yaml ?? ''
  const lines = yaml.split('\n')
  it('are found by their lines', () => {
    const stages = stageLines(yaml)
    const lineOf = (text: string) => lines.findIndex((line) => line.includes(text)) + 1
    expect(stages.map((stage) => stage.stage)).toEqual([0, 1, 2, 3, 4])
    expect(stages.map((stage) => stage.from)).toEqual(
      ['source:', '- cast', '- filter', '- derive', '- select'].map((text) => lineOf(text)),
    )
    expect(stages[3]?.to).toBe(lineOf('wet:'))
    expect(yaml.slice(stages[2]?.key.start, stages[2]?.key.end)).toBe('filter')
  })
  it('are found for a line, also while the text is half-typed', () => {
    for (const text of [yaml, `${yaml}unfinished: [`]) {
      const at = (words: string) => stageAt(text, lines.findIndex((line) => line.includes(words)) + 1)
      expect(at('glob:')).toBe(0)
      expect(at('- filter')).toBe(2)
      expect(at('wet:')).toBe(3)
      expect(at('mode: replace')).toBe('last')
      expect(at('warehouse: {')).toBeNull()
    }
    expect(stageAt('', 1)).toBeNull()
    expect(stageAt('steps:', 99)).toBeNull()
  })
  it('are none in text that is no YAML', () => {
    expect(stageLines('steps: [')).toEqual([])
    expect(stageLines('')).toEqual([])
  })
})

describe('argument fields', () => {
  it.each([
    [{ type: 'integer' }, '42', 42],
    [{ type: 'number' }, '-1.5e3', -1500],
    [{ type: 'boolean' }, 'true', true],
    [{ type: 'json' }, '{"a":[1]}', { a: [1] }],
    [{ type: 'list', items: 'integer' }, '1\n 2 \n\n3', [1, 2, 3]],
    [{ type: 'list', items: 'string' }, '["a","b c"]', ['a', 'b c']],
    [{ type: 'date' }, '2026-03-01', '2026-03-01'],
  ] as const)('%j reads %j', (spec, text, value) => {
    expect(readValue(spec, text)).toEqual({ ok: true, value })
  })
  it.each([
    [{ type: 'integer' }, '4.2', 'integer'],
    [{ type: 'integer' }, '0x10', 'integer'],
    [{ type: 'number' }, 'many', 'number'],
    [{ type: 'json' }, '{a: 1}', 'json'],
    [{ type: 'list', items: 'number' }, '1\ntwo', 'number'],
  ] as const)('%j refuses %j', (spec, text, problem) => {
    expect(readValue(spec, text)).toEqual({ ok: false, problem })
  })
  it('never turn a whole number into another one', () => {
    expect(readValue({ type: 'integer' }, '9007199254740993')).toEqual({ ok: true, value: '9007199254740993' })
  })
  it('show a value so that it is read as the same value', () => {
    const items = fc.array(fc.string({ maxLength: 12 }), { maxLength: 5 })
    fc.assert(
      fc.property(items, (value) => {
        const text = showValue(value)
        if (text === '') return
        expect(readValue({ type: 'list', items: 'string' }, text)).toEqual({ ok: true, value })
      }),
    )
  })

  const specs: Record<string, ArgumentSpec> = {
    since: { type: 'date', required: true },
    top: { type: 'integer', required: false, default: 10, max: 100 },
  }
  it('leave out what is empty, so that the default applies', () => {
    expect(readFields(specs, { since: '2026-01-01', top: '' })).toEqual({
      values: { since: '2026-01-01' },
      problems: {},
    })
  })
  it('say what is missing and what the language refuses', () => {
    const { problems } = readFields(specs, { top: '500' })
    expect(problems.since).toEqual({ kind: 'required' })
    expect(problems.top?.kind).toBe('language')
  })
  it('take remembered values up again', () => {
    expect(fieldsOf({ top: 5, regions: ['eu', 'us'], none: null })).toEqual({ top: '5', regions: 'eu\nus', none: '' })
  })
  it('name the default in a form that they read as it', () => {
    const list = defaultText({ default: ['eu', 'us'] })
    expect(list).toBe('[ "eu", "us" ]')
    expect(readValue({ type: 'list' }, list ?? '')).toEqual({ ok: true, value: ['eu', 'us'] })
    expect(defaultText({ default: 10 })).toBe('10')
    expect(defaultText({ default: { a: 'x:y', b: [1] } })).toBe('{ "a": "x:y", "b": [ 1 ] }')
    expect(defaultText({})).toBeNull()
  })
})

describe('inputs of a run', () => {
  it('are remembered by task', () => {
    const store = memory()
    const inputs = { connector_mapping: { db: 2 }, arguments: { top: 5 } }
    expect(rememberInputs(store, 7, inputs)).toBe(true)
    expect(recallInputs(store, 7)).toEqual(inputs)
    expect(recallInputs(store, 8)).toBeNull()
  })
  it('are not remembered where the browser refuses, and nothing else happens', () => {
    expect(rememberInputs(full, 7, inputsOf({}, {}))).toBe(false)
    expect(rememberInputs(null, 7, inputsOf({}, {}))).toBe(false)
  })
  it('drop what does not fit', () => {
    expect(inputsOf({ db: 2, x: 'y', z: -1, f: 1.5 }, [1])).toEqual({ connector_mapping: { db: 2 }, arguments: {} })
    const store = memory()
    store.setItem('headgate.task.7.inputs', '{broken')
    expect(recallInputs(store, 7)).toBeNull()
  })
  it('choose by themselves only where there is no choice', () => {
    const slots = { files: { types: ['file'] }, db: { types: ['sqlite', 'postgres'] } }
    const connectors = [
      { id: 1, name: 'Data', type: 'file' },
      { id: 2, name: 'App', type: 'sqlite' },
      { id: 3, name: 'Warehouse', type: 'postgres' },
    ]
    expect(fillMapping(slots, connectors, {})).toEqual({ files: 1 })
    expect(fillMapping(slots, connectors, { db: 3 })).toEqual({ files: 1, db: 3 })
    // Remembered, but since archived or of a type that fits no more.
    expect(fillMapping(slots, connectors, { db: 1, files: 9 })).toEqual({ files: 1 })
  })
})

it('a slot takes the connector of its name, unless that was taken back', () => {
  const connectors = [
    { id: 1, name: 'exports', type: 'file' },
    { id: 2, name: 'Samples', type: 'file' },
  ]
  const slots = { samples: { types: ['file'] }, exports: { types: ['file'] } }
  expect(fillMapping(slots, connectors, {})).toEqual({ samples: 2, exports: 1 })
  expect(fillMapping(slots, connectors, { samples: 1, exports: 0 })).toEqual({ samples: 1 })
})

describe('drafts', () => {
  const draft = { text: 'new', version: 3, at: '2026-03-01T08:00:00.000Z' }
  it('come back while they say something else than what is saved', () => {
    const store = memory()
    expect(keepDraft(store, 'task.7', draft)).toBe(true)
    expect(recallDraft(store, 'task.7', 'old')).toEqual(draft)
    expect(recallDraft(store, 'task.7', 'new')).toBeNull()
    dropDraft(store, 'task.7')
    expect(recallDraft(store, 'task.7', 'old')).toBeNull()
  })
  it('say when they could not be kept', () => {
    expect(keepDraft(full, 'task.7', draft)).toBe(false)
    expect(keepDraft(null, 'task.new', draft)).toBe(false)
  })
  it('of unknown form are not taken up', () => {
    const store = memory()
    store.setItem('headgate.task.7.draft', '{"text": 1}')
    expect(recallDraft(store, 'task.7', '')).toBeNull()
    store.setItem('headgate.task.7.draft', 'x')
    expect(recallDraft(store, 'task.7', '')).toBeNull()
  })
})

describe('help from the schema', () => {
  const entries = helpEntries(taskSchema)
  it('has every key once, each described', () => {
    const paths = entries.map((entry) => entry.path)
    expect(new Set(paths).size).toBe(paths.length)
    expect(paths).toEqual(expect.arrayContaining(['source.files.glob', 'target.mode', 'args.*.default', 'retries.max']))
    expect(entries.filter((entry) => entry.description === '').map((entry) => entry.path)).toEqual([])
  })
  it('is found by words of key and description', () => {
    expect(findHelp(entries, 'GLOB').map((entry) => entry.path)).toContain('source.files.glob')
    expect(findHelp(entries, 'no such thing anywhere')).toEqual([])
  })
  it('has no example of a key that has one value', () => {
    const kinds = entries.filter(({ path }) => path === 'etl' || path === 'kind')
    expect(kinds.map(({ types }) => types)).toEqual([[{ value: '1' }], [{ value: 'pipeline' }]])
    expect(kinds.filter(({ example }) => example !== undefined)).toEqual([])
  })
  it('names each type once, what a list is of, and has examples as YAML', () => {
    const help = (path: string) => entries.find((entry) => entry.path === path)
    expect(help('tags')?.types).toEqual([{ listOf: ['string'] }])
    expect(help('connectors.*.types')?.types).toEqual([{ listOf: ['choice'] }])
    expect(help('steps[].dedupe')?.types).toEqual([
      { value: 'true' },
      { name: 'string' },
      { listOf: ['string'] },
      { name: 'map' },
    ])
    const examples = entries.map(({ example = '' }) => example)
    expect(examples.some((example) => /^\{\w+: /.test(example))).toBe(true)
    expect(examples.filter((example) => /^\{"\w+":\S/.test(example))).toEqual([])
  })
})
