import { describe, expect, it } from 'vitest'
import { flow } from '../engine/run-task.ts'
import { runSteps } from './step-runs.ts'

const people = [
  {
    id: 1,
    email: 'A@B.NO',
    items: [
      { sku: 'x', n: 2 },
      { sku: 'y', n: 1 },
    ],
  },
  { id: 2, email: null, items: [] },
  { id: 3, email: 'C@D.NO', items: [{ sku: 'z', n: 5 }] },
]

describe('map', () => {
  it('makes a row of an object, many of a list, and none of nothing', async () => {
    const one = await runSteps([{ map: '{"id": id, "email": $lowercase(email)}' }], { rows: people })
    expect(one.rows).toEqual([
      { id: 1, email: 'a@b.no' },
      { id: 2, email: null },
      { id: 3, email: 'c@d.no' },
    ])
    const many = await runSteps([{ map: 'items.{"id": %.id, "sku": sku}' }], { rows: people })
    expect(many.rows).toEqual([
      { id: 1, sku: 'x' },
      { id: 1, sku: 'y' },
      { id: 3, sku: 'z' },
    ])
    expect(flow(many.run)).toBe('source 3→3 | map 3→3 | target 3→3')
    const some = await runSteps([{ filter: 'id > 1' }, { map: 'email ? {"id": id}' }, { filter: 'id < 9' }], {
      rows: people,
    })
    expect(flow(some.run)).toBe('source 3→3 | filter 3→2 | map 2→1 | filter_2 1→1 | target 1→1')
    const none = await runSteps([{ map: 'id > 1 ? {"id": id} : null' }], { rows: people })
    expect(none.rows).toEqual([{ id: 2 }, { id: 3 }])
  })

  it('knows all of JSONata: functions, recursion, grouping, regular expressions', async () => {
    const { rows } = await runSteps(
      [
        {
          map: `(
            $factorial := function($n) { $n < 2 ? 1 : $n * $factorial($n - 1) };
            {"factorial": $factorial(id + 3), "total": $sum(items.n), "host": $match(email, /@(.*)$/).groups[0], "bySku": items{sku: n}}
          )`,
        },
      ],
      { rows: people },
    )
    expect(rows[0]).toEqual({ factorial: 24, total: 3, host: 'B.NO', bySku: { x: 2, y: 1 } })
  })

  it('keeps the type and every digit of what it passes on', async () => {
    const sql = `SELECT 9007199254740993 AS big, 1234567890123456789012.12345::DECIMAL(38,5) AS money, 1.50::DECIMAL(9,2) AS price, TIMESTAMP '2024-02-29 12:00:00.123456' AS at,
      TIMESTAMPTZ '2024-02-29 12:00:00+02' AS zoned, DATE '2024-02-29' AS day, TIME '12:34:56.789' AS clock, 'a'::BLOB AS bytes, uuid() AS u, 1e300 AS wide, true AS yes, 'é😀' || chr(0) AS text, NULL::INTEGER AS nothing,
      ['a'] AS list, {'a': 9007199254740993} AS nested FROM stream`
    const spread = await runSteps([{ sql }, { map: '$merge([$, {"more": 1}])' }], { rows: [{ x: 1 }] })
    const plain = await runSteps([{ sql }], { rows: [{ x: 1 }] })
    expect(spread.columns).toEqual([...plain.columns, 'more BIGINT'])
    const shown = [
      { derive: { all: "concat_ws('|', big, money, price, at, zoned, day, clock, hex(bytes), wide, yes, hex(text))" } },
      { select: ['all'] },
    ]
    const before = await runSteps([{ sql }, ...shown], { rows: [{ x: 1 }] })
    const after = await runSteps([{ sql }, { map: '$' }, ...shown], { rows: [{ x: 1 }] })
    expect(after.rows).toEqual(before.rows)
  })

  it('passes on nested values, signs of zero, marks and JSON as they are', async () => {
    const sql = `SELECT '{"lat":52.520006599999998,"n":12345678901234567890}'::JSON AS doc, -0.0::DOUBLE AS zero, '\uFEFF' || 'marked by U+FEFF' AS marked,
      [{'a': 1.10::DECIMAL(9,2), 'b': NULL}] AS list, MAP {'k': 9007199254740993} AS pairs, 'null'::JSON AS nothing, NULL::VARCHAR AS gone FROM stream`
    const plain = await runSteps([{ sql }], { rows: [{ x: 1 }] })
    for (const map of ['$', 'zero = 0 ? $ : null', 'zero = 0 ? $', '($y := 1; $)', '$merge([$, {}])', '[$]']) {
      const mapped = await runSteps([{ sql }, { map }], { rows: [{ x: 1 }] })
      expect([map, mapped.columns, mapped.rows]).toEqual([map, plain.columns, plain.rows])
    }
    const renamed = await runSteps([{ sql }, { map: '{"a": doc, "b": list, "c": $.zero, "d": marked & "!"}' }], {
      rows: [{ x: 1 }],
    })
    expect(renamed.columns).toEqual([
      'a JSON',
      `b ${plain.columns.find((column) => column.startsWith('list '))?.slice(5)}`,
      'c DOUBLE',
      'd VARCHAR',
    ])
    expect(renamed.rows).toEqual([
      { a: plain.rows[0]?.['doc'], b: plain.rows[0]?.['list'], c: -0, d: '\uFEFFmarked by U+FEFF!' },
    ])
  })

  it('takes numbers out of documents with every digit, wherever the point stands', async () => {
    const digits = '1234567890123456'
    const numbers = [...digits].slice(1).map((_, at) => `-${digits.slice(0, at + 1)}.${digits.slice(at + 1)}`)
    const sql = `SELECT '{"n": [${[...numbers, '1e400', '1.5'].join(', ')}]}'::JSON AS doc FROM stream`
    const { rows } = await runSteps([{ sql }, { map: 'doc.n.{"n": $string($)}' }], { rows: [{ x: 1 }] })
    expect(rows.map((row) => row['n'])).toEqual([...numbers, '1e400', '1.5'])
  })

  it('has the same columns and types whichever rows come', async () => {
    const columns = { id: 'integer', price: 'decimal(9,2)', note: 'string' }
    const expressions = {
      'id > 0 ? $ : null': ['id BIGINT', 'price DECIMAL(9,2)', 'note VARCHAR'],
      '{"id": id, "n": price * 2, "t": note & "", "b": price > 1, "c": $count(note), "d": {"p": price}, "e": id > 1 ? 1 : 2}':
        ['id BIGINT', 'n DOUBLE', 't VARCHAR', 'b BOOLEAN', 'c BIGINT', 'd JSON', 'e BIGINT'],
    }
    for (const [map, types] of Object.entries(expressions)) {
      for (const rows of [
        [{ id: 1, price: '1.50', note: 'x' }],
        [{ id: 2, price: '2', note: null }],
        [{ id: 3, price: null, note: null }],
      ]) {
        const mapped = await runSteps([{ map }], { rows, columns })
        expect([map, mapped.run.error, mapped.columns]).toEqual([map, undefined, types])
      }
    }
  })

  it('takes a column from the row only where the expression does', async () => {
    const rows = [
      { id: 1, a: 'x', b: null },
      { id: 2, a: 'y', b: 'z' },
    ]
    const either = await runSteps([{ map: 'id = 1 ? {"id": id, "a": a} : {"id": id}' }], { rows })
    expect(either.rows).toEqual([
      { id: 1, a: 'x' },
      { id: 2, a: null },
    ])
    // Nothing takes the place of nothing.
    const merged = await runSteps([{ map: '$merge([$, {"a": b}])' }], { rows })
    expect(merged.rows).toEqual([
      { id: 1, a: 'x', b: null },
      { id: 2, a: 'z', b: 'z' },
    ])
    const clash = await runSteps([{ map: '{"id": id, "ID": 5}' }], { rows })
    expect(clash.run.error?.code).toMatch(/COLUMN_DUPLICATE|TASK_INVALID/)
  })

  it('takes objects and lists for declared JSON, and casts what it passes on from the column itself', async () => {
    const typed = await runSteps(
      [
        {
          map: {
            expression: '{"p": {"a": [id, null]}, "q": items, "r": $string(id), "id": id}',
            columns: { p: 'json', q: 'json', r: 'json', id: 'decimal(5,1)' },
          },
        },
      ],
      { rows: [people[0]] },
    )
    expect(typed.run.error).toBeUndefined()
    expect(typed.columns).toEqual(['p JSON', 'q JSON', 'r JSON', 'id DECIMAL(5,1)'])
    expect(typed.rows).toEqual([{ p: { a: [1, null] }, q: people[0]?.items, r: 1, id: 1 }])
  })

  it('passes on random values whole, also where a row becomes several', async () => {
    const sql = `SELECT i, hash(i) AS big, (hash(i) / 7919.0)::DOUBLE AS d, (hash(i)::HUGEINT * 1000003)::DECIMAL(38,9) AS n, make_timestamp((hash(i) % 4000000000000000)::BIGINT) AS t,
      {'k': hash(i), 'l': [i / 3.0, NULL]} AS s, CASE WHEN i % 3 = 0 THEN NULL ELSE chr(65279) || chr((1 + i % 50000)::INTEGER) END AS text FROM stream, range(6000) r(i)`
    const digest = 'SELECT count(*) AS rows, sum(hash(COLUMNS(*))::HUGEINT)::VARCHAR FROM stream'
    const plain = await runSteps([{ sql }, { sql: digest }], { rows: [{ x: 1 }] })
    const mapped = await runSteps([{ sql }, { map: 'i % 2 = 0 ? $ : [$, $]' }, { dedupe: ['i'] }, { sql: digest }], {
      rows: [{ x: 1 }],
    })
    expect(mapped.run.error).toBeUndefined()
    expect(flow(mapped.run)).toContain('map 6000→9000')
    expect(mapped.rows).toEqual(plain.rows)
    const order = await runSteps(
      [{ sql }, { map: '[$, $]' }, { sql: 'SELECT list(i) = list_sort(list(i)) AS sorted FROM stream' }],
      { rows: [{ x: 1 }] },
    )
    expect(order.rows).toEqual([{ sorted: true }])
  })

  it('gives numbers that no number holds to the expression as text', async () => {
    const { rows } = await runSteps(
      [
        {
          sql: `SELECT 9007199254740993 AS big, 12.5::DECIMAL(9,2) AS price, '{"n": 12345678901234567890, "m": 0.1, "k": [9007199254740993]}'::JSON AS doc FROM stream`,
        },
        { map: '{"big": $type(big), "double": price * 2, "n": doc.n, "m": doc.m + 1, "k": doc.k}' },
      ],
      { rows: [{ x: 1 }] },
    )
    expect(rows).toEqual([{ big: 'string', double: 25, n: '12345678901234567890', m: 1.1, k: ['9007199254740993'] }])
  })

  it('types columns as declared, and stops at a value that does not fit', async () => {
    const typed = await runSteps(
      [
        {
          map: {
            expression: '{"id": $string(id), "n": $round(id / 3, 2)}',
            columns: { id: 'integer', n: 'decimal(9,2)' },
          },
        },
      ],
      { rows: people },
    )
    expect(typed.columns).toEqual(['id BIGINT', 'n DECIMAL(9,2)'])
    const wrong = await runSteps([{ map: { expression: '{"id": email}', columns: { id: 'integer' } } }], {
      rows: people,
    })
    expect(wrong.run.error).toMatchObject({
      code: 'CAST_FAILED',
      step: 'map',
      message: 'Column `id` holds “A@B.NO”, which is no integer',
    })
  })

  it('has its columns without any row, where text or declaration shows them', async () => {
    const shown = await runSteps([{ filter: 'false' }, { map: '{"id": id, "upper": $uppercase(email)}' }], {
      rows: people,
    })
    expect(shown.run.status).toBe('success')
    expect(shown.columns).toEqual(['id BIGINT', 'upper VARCHAR'])
    const declared = await runSteps(
      [{ filter: 'false' }, { map: { expression: '($f := $; $f)', columns: { id: 'integer' } } }],
      { rows: people },
    )
    expect(declared.columns).toEqual(['id BIGINT'])
    const unknown = await runSteps([{ filter: 'false' }, { map: '$map(items, function($i) {{"a": $i}})' }], {
      rows: people,
    })
    expect(unknown.run.error).toMatchObject({ code: 'VALUE_INVALID', step: 'map' })
    expect(unknown.run.error?.hint).toContain('columns')
  })

  it('names the row, the place and the reason of a failure', async () => {
    const { run } = await runSteps([{ map: '{\n  "id": id,\n  "upper": $uppercase(id = 3 ? 5 : email)\n}' }], {
      rows: people,
    })
    expect(run.error).toMatchObject({ code: 'EXPRESSION_FAILED', step: 'map', retryable: false })
    expect(run.error?.message).toMatch(
      /^Row 3 \(\{"id":3,"email":"C@D.NO",.*\): the expression failed at line 3, column \d+: Argument 1 of function "uppercase"/,
    )
  })

  it('refuses rows that are no objects', async () => {
    const number = await runSteps([{ map: 'id' }], { rows: people })
    expect(number.run.error?.message).toBe(
      'Row 1 ({"id":1,"email":"A@B.NO","items":"[{\\"sku\\":\\"x\\",\\"n\\":2},{\\"sku\\":\\"y\\",\\"n\\":1}]"}): the expression failed: the result is the number 1; a row is an object, such as {"id": id}',
    )
    const list = await runSteps([{ map: 'items.sku' }], { rows: people })
    expect(list.run.error?.message).toContain('an item of the result is the text "x"')
    const nameless = await runSteps([{ map: '{"": id}' }], { rows: people })
    expect(nameless.run.error?.message).toContain('the result has a key without a name')
    const lambda = await runSteps([{ map: '{"f": function($x) {$x}}' }], { rows: people })
    expect(lambda.run.error?.message).toContain('the result holds a function')
  })

  it('ends an expression without an end, and says at which row', async () => {
    const endless = '(id = 2 ? ($f := function($n) {$f($n)}; $f(1)); {"id": id})'
    const { run } = await runSteps([{ map: { expression: endless, timeout: '300ms' } }], { rows: people })
    expect(run.error).toMatchObject({ code: 'EXPRESSION_FAILED', step: 'map' })
    expect(run.error?.message).toMatch(/^Row 2 .*: the expression took longer than 0\.3 s$/)
  })

  it('ends an expression that takes too much memory; the process goes on', async () => {
    // One list that doubles: V8 itself would end the process where such an allocation meets its limit.
    const bomb = '($f := function($l) {$f($append($l, $l))}; {"x": $f([1, 2, 3])})'
    const { run } = await runSteps([{ map: { expression: bomb, timeout: '60s' } }], { rows: people })
    expect(run.error).toMatchObject({ code: 'EXPRESSION_FAILED', step: 'map' })
    expect(run.error?.message).toContain('needs more than 256 MiB of memory')
    const after = await runSteps([{ map: '{"id": id}' }], { rows: people })
    expect(after.rows).toHaveLength(3)
  })

  it('stops at once when the run is stopped', async () => {
    const stop = new AbortController()
    setTimeout(() => stop.abort(new Error('cancelled')), 200)
    const endless = '($f := function($n) {$f($n)}; {"x": $f(1)})'
    const { run } = await runSteps([{ map: { expression: endless, timeout: '60s' } }], {
      rows: people,
      signal: stop.signal,
    })
    expect(run.error).toMatchObject({ code: 'CANCELLED' })
  })

  it('reaches nothing of the machine', async () => {
    const { rows } = await runSteps(
      [
        {
          map: '{"a": $string($eval("process")), "b": $string(constructor), "c": $string($lookup($, "__proto__")), "d": $string($sum.implementation.constructor), "e": id}',
        },
      ],
      { rows: people },
    )
    expect(rows[0]).toEqual({ a: null, b: null, c: null, d: null, e: 1 })
  })

  it('passes long texts and odd names on whole', async () => {
    const text = `${'é😀"\\'.repeat(50_000)}end`
    const { rows, run } = await runSteps(
      [
        { map: '$merge([$, {"a b": `o"dd`}])' },
        { map: '{"text": text, "length": $length(text), "odd": `a b`, "__proto__": 5}' },
      ],
      { rows: [{ text, 'o"dd': 'x' }] },
    )
    expect(run.error).toBeUndefined()
    expect(rows[0]?.['text'] === text).toBe(true)
    expect(rows[0]).toMatchObject({ odd: 'x', length: 200_003 })
  })

  it('maps many rows in their order, one of which becomes very many', async () => {
    const { run, rows } = await runSteps(
      [
        { sql: 'SELECT i FROM stream, range(20000) r(i)' },
        { map: 'i = 777 ? [1..50000].{"i": 777, "n": $} : {"i": i, "n": 0}' },
        { sql: 'SELECT count(*) AS n, sum(n) AS s, list(i)[700:702] AS few FROM stream' },
      ],
      { rows: [{ x: 1 }] },
    )
    expect(run.error).toBeUndefined()
    expect(rows).toEqual([{ n: 69_999, s: 1_250_025_000, few: [699, 700, 701] }])
  })

  it('gives each row its own values, also where a column is called as DuckDB calls the numbers of rows', async () => {
    const rows = [
      { rowid: 2, v: 'a' },
      { rowid: null, v: 'b' },
      { rowid: 0, v: 'c' },
    ]
    for (const expression of ['$', '{"rowid": rowid, "v": v}', '{"rowid": v, "v": v}']) {
      const { run, rows: made } = await runSteps([{ map: expression }], { rows })
      expect(run.error).toBeUndefined()
      expect(made).toEqual(expression.includes('"rowid": v') ? rows.map(({ v }) => ({ rowid: v, v })) : rows)
    }
  })
})
