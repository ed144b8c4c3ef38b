import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Diagnostic } from '../../../src/language/diagnostics.ts'
import { readYaml } from '../../../src/language/yaml/read-yaml.ts'
import {
  type PaletteTask,
  type TemplateParts,
  freeKey,
  insertGate,
  insertTask,
} from '../../../src/renderer/features/job-templates/insert-task.ts'
import { mergedFindings } from '../../../src/renderer/ui/document/server-findings.ts'
import { graphNodes, nodeAt } from '../../../src/renderer/features/job-templates/template-graph.ts'
import { addEntry, lineOfKey, plainOrQuoted } from '../../../src/renderer/features/job-templates/text-insert.ts'

const orders: PaletteTask = {
  name: 'erp.orders',
  connectors: { mongo: { types: ['mongodb'], access: 'read' }, pg: { types: ['postgres', 'mysql'], access: 'write' } },
  arguments: {
    day: { type: 'date', required: true },
    limit: { type: 'integer', required: true, min: 5 },
    note: { type: 'string', required: false },
  },
}
const nothing: TemplateParts = { connectors: {}, parameters: {}, keys: [] }
const head = 'etl: 1\nkind: job\nname: nightly\n'

describe('a task from the palette', () => {
  test('stands at the end of the tasks with its slots bound and required arguments prefilled', () => {
    const text = `${head}connectors:\n  dw: {type: postgres, access: read_write}\ntasks:\n  first: {task: a.b}  # of old\n\n# the end\nnotify: []\n`
    const {
      text: after,
      key,
      line,
    } = insertTask(
      text,
      orders,
      {
        connectors: { dw: { types: ['postgres'], access: 'read_write' } },
        parameters: { day: { type: 'date', required: true } },
        keys: ['first'],
      },
      ['first'],
    )
    expect(after).toBe(`${head}connectors:
  dw: {type: postgres, access: read_write}
  mongo: {type: mongodb}
tasks:
  first: {task: a.b}  # of old
  orders:
    task: erp.orders
    depends_on: [first]
    connectors: {mongo: mongo, pg: dw}
    args: {day: "\${{ parameters.day }}", limit: 5}

# the end
notify: []
`)
    expect(key).toBe('orders')
    expect(after.split('\n')[line - 1]).toBe('  orders:')
  })

  test('makes the sections that an empty template lacks', () => {
    expect(insertTask(head, orders, nothing).text).toBe(`${head}connectors:
  mongo: {type: mongodb}
  pg: {types: [postgres, mysql]}
tasks:
  orders:
    task: erp.orders
    connectors: {mongo: mongo, pg: pg}
    args: {day: "2026-01-01", limit: 5}
`)
  })

  test('goes into maps in braces, empty ones and those that are begun', () => {
    expect(insertTask(`${head}tasks: {}\n`, { ...orders, connectors: {}, arguments: {} }, nothing).text).toBe(
      `${head}tasks:\n  orders:\n    task: erp.orders\n`,
    )
    expect(
      insertTask(`${head}tasks: {a: {task: x}}\n`, { ...orders, connectors: {}, arguments: {} }, nothing).text,
    ).toBe(`${head}tasks: {a: {task: x}, orders: {task: erp.orders}}\n`)
    expect(insertTask(`${head}tasks:`, { ...orders, connectors: {}, arguments: {} }, nothing).text).toBe(
      `${head}tasks:\n  orders:\n    task: erp.orders`,
    )
  })

  test('a connector of that name with another type is left alone', () => {
    const { text } = insertTask(
      `${head}connectors: {mongo: {type: sqlite}}\n`,
      { ...orders, arguments: {} },
      { ...nothing, connectors: { mongo: { types: ['sqlite'], access: 'read' } } },
    )
    expect(text).toContain('mongo_2: {type: mongodb}')
    expect(text).toContain('connectors: {mongo: mongo_2, pg: pg}')
  })

  test('its key is made of letters that keys have, and is free', () => {
    expect(freeKey('crm.contacts', [])).toBe('contacts')
    expect(freeKey('crm.contacts', ['contacts', 'contacts_2'])).toBe('contacts_3')
    expect(freeKey('Umsätze je Tag', [])).toBe('Ums_tze_je_Tag')
    expect(freeKey('2024', [])).toBe('task_2024')
    expect(freeKey('…', [])).toMatch(/^[A-Za-z_]\w*$/)
  })

  test('whatever its name, the text stays one that can be read, and the task is in it', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }),
        fc.constantFrom('', 'tasks: {}\n', 'tasks:\n  a: {gate: "x"}\n'),
        (name, tasks) => {
          const { text, key } = insertTask(head + tasks, { ...orders, name }, { ...nothing, keys: ['a'] })
          const { wellFormed } = readYaml(text, () => {})
          expect(wellFormed).toBe(true)
          expect(key).toMatch(/^[A-Za-z_]\w{0,62}$/)
          expect(lineOfKey(text, 'tasks', key)).not.toBeNull()
        },
      ),
      { numRuns: 60 },
    )
  })

  test('words that YAML reads as something else are quoted', () => {
    expect(['crm.contacts', 'yes', 'null', '12', 'a b', 'a: b'].map(plainOrQuoted)).toEqual([
      'crm.contacts',
      '"yes"',
      '"null"',
      '"12"',
      '"a b"',
      '"a: b"',
    ])
  })
})

test('a gate asks and waits for what it was dropped on', () => {
  expect(insertGate(`${head}tasks:\n  a: {task: x}\n`, ['a'], 'Continue?', ['a']).text).toBe(
    `${head}tasks:\n  a: {task: x}\n  gate:\n    gate: "Continue?"\n    depends_on: [a]\n`,
  )
})

test('an entry of several lines keeps its comments and the new one comes after it', () => {
  const text =
    'tasks:\n    a:\n        task: x # why\n        args:\n            b: |\n                long\n                text\n\nother: 1\n'
  expect(addEntry(text, 'tasks', { key: 'b', flow: 'b: {}', block: ['b:', '  task: y'] })).toBe(
    'tasks:\n    a:\n        task: x # why\n        args:\n            b: |\n                long\n                text\n    b:\n      task: y\n\nother: 1\n',
  )
})

const finding = (
  line: number,
  message: string,
  path: string,
  severity: Diagnostic['severity'] = 'error',
): Diagnostic => ({
  severity,
  code: 'yaml_syntax',
  params: {},
  message,
  path,
  line,
  column: 3,
  end_line: line,
  end_column: 9,
})

describe('findings of window and server', () => {
  const text = 'name: a\ntasks:\n  x: {task: gone}\n  y: {task: b}\n'
  const local = [finding(1, 'local', 'name')]
  const server = { text, diagnostics: [...local, finding(3, 'no such task', 'tasks.x.task')] }

  test('the same one is said once', () => {
    expect(mergedFindings(text, local, server).map((one) => one.message)).toEqual(['local', 'no such task'])
    expect(mergedFindings(text, local, undefined)).toEqual(local)
  })

  test('what the server said stands on while other lines are typed, moves with its line, and goes with it', () => {
    const typed = text.replace('task: b', 'task: bc')
    expect(mergedFindings(typed, [], server).map((one) => one.line)).toContain(3)
    const below = text.replace('tasks:', 'description: b\ntasks:')
    expect(mergedFindings(below, [], server).map((one) => [one.message, one.line])).toContainEqual(['no such task', 4])
    const mended = text.replace('gone', 'there')
    expect(mergedFindings(mended, [], server).map((one) => one.message)).not.toContain('no such task')
  })
})

describe('the graph of a text', () => {
  const node = (key: string, line: number, end_line: number, more: object = {}) => ({
    key,
    kind: 'task' as const,
    depends_on: [],
    task: `t.${key}`,
    version: null,
    for_each: false,
    message: null,
    line,
    end_line,
    ...more,
  })
  const nodes = [
    node('a', 5, 8, { version: 3, for_each: true }),
    node('b', 9, 9, { kind: 'gate', task: null, message: 'Go?', depends_on: ['a'] }),
  ]

  test('the caret’s line chooses the task it is in, and none between', () => {
    expect([4, 5, 8, 9, 10].map((line) => nodeAt(nodes, line)?.key)).toEqual([undefined, 'a', 'a', 'b', undefined])
  })

  test('shows version, repetition, a gate’s question, and the worst problem of its lines', () => {
    const shown = graphNodes(nodes, [finding(6, 'unused', 'x', 'warning'), finding(7, 'no `t.a`', 'y')], {
      each: 'each',
      approval: 'Approval',
    })
    expect(shown).toEqual([
      expect.objectContaining({
        id: 'a',
        sublabel: 't.a',
        badge: 'each v3',
        problem: { severity: 'error', message: 'no t.a' },
      }),
      expect.objectContaining({ id: 'b', kind: 'gate', sublabel: 'Go?', dependsOn: ['a'] }),
    ])
    expect(shown[1]).not.toHaveProperty('problem')
  })
})
