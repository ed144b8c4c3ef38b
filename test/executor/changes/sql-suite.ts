import { expect, test } from 'vitest'
import type { QueryResult } from '../../../src/contract/queries.ts'
import { type ChangeWorld, raw } from './change-world.ts'
import { changesThatDiffer, emptyList } from './conditions.ts'

export interface SqlSystem {
  world(): ChangeWorld
  id(): number
  /** Of another client: rows of one statement. */
  sql(statement: string): Promise<unknown[][]>
  quote(name: string): string
  /** Columns of `odd` beside its key, each with two literals. */
  odd: Record<string, { type: string; first: string; second: string }>
  /** How an integer column's 1 is told. */
  one: unknown
  two: unknown
}

export const refusedFor = (code: string) => ({ status: 400, body: { details: [{ code }, {}] } })
const hostile = `we"ird\`; DROP TABLE people; -- 'name`

/** What holds for every database alike. `people (id, name, age)` has the rows 1 Ada 36, 2 Grace 45, 3 Alan 41. */
export function describeSql(system: SqlSystem): void {
  const { quote, sql } = system
  const fill = async () => {
    await sql('DELETE FROM people')
    await sql("INSERT INTO people VALUES (1, 'Ada', 36), (2, 'Grace', 45), (3, 'Alan', 41)")
  }
  const people = () => sql('SELECT id, name, age FROM people ORDER BY id')
  const read = async (query: string) => {
    const { fields, rows }: QueryResult = await system.world().run(system.id(), query)
    return rows.map((row) => Object.fromEntries(fields.map(({ name }, at) => [name, row[at]])))
  }

  test('edits are shown with their values and counts, and written when they are confirmed', async () => {
    await fill()
    const [ada, grace] = await read('SELECT * FROM people ORDER BY id')
    const body = {
      resource: 'people',
      edits: [
        { kind: 'insert', values: { id: system.two === 2 ? 4 : '4', name: "O'Hara", age: system.one } },
        { kind: 'update', original: ada, values: { name: null } },
        { kind: 'delete', original: grace },
      ],
    }
    const review = await system.world().review(system.id(), body)
    expect(review).toMatchObject({
      state: 'review',
      rows: 3,
      changed: null,
      transaction: true,
      connector_name_required: false,
    })
    expect(review.statements.map(({ statement, rows, edit }) => [statement.split(' ')[0], rows, edit])).toEqual([
      ['DELETE', 1, 2],
      ['UPDATE', 1, 1],
      ['INSERT', 1, 0],
    ])
    expect(review.statements[2]?.values.map(({ name, value }) => [name, value])).toContainEqual(['name', "O'Hara"])
    for (const { statement } of review.statements) expect(statement).not.toContain('Hara')
    expect(await people()).toHaveLength(3)
    const written = await system.world().review(system.id(), { ...body, confirmation: review.confirmation })
    expect(written).toMatchObject({ state: 'written', rows: 3, changed: 3, confirmation: null })
    expect((await people()).map((row) => row.slice(1).map(String))).toEqual([
      ['null', '36'],
      ['Alan', '41'],
      ["O'Hara", '1'],
    ])
  })

  test('a row that someone else changes before the review or before the confirmation stops everything', async () => {
    await fill()
    const [ada, grace] = await read('SELECT * FROM people ORDER BY id')
    const body = {
      resource: 'people',
      edits: [
        { kind: 'update', original: ada, values: { name: 'Lady Ada' } },
        { kind: 'update', original: grace, values: { name: 'Amazing Grace' } },
      ],
    }
    const { confirmation } = await system.world().review(system.id(), body)
    await sql('UPDATE people SET age = NULL WHERE id = 2')
    const answer = await system.world().post(system.id(), { ...body, confirmation })
    expect(answer).toMatchObject({
      status: 409,
      body: {
        code: 'changes_conflict',
        details: [{ path: 'body.edits[1]', code: 'changes_row_changed', params: { fields: ['age'] } }],
      },
    })
    expect((await people()).map((row) => row[1])).toEqual(['Ada', 'Grace', 'Alan'])
    expect(await system.world().post(system.id(), body)).toMatchObject({ status: 409 })
    await sql('DELETE FROM people WHERE id = 2')
    expect(await system.world().post(system.id(), body)).toMatchObject({
      body: { details: [{ path: 'body.edits[1]', code: 'changes_row_gone' }] },
    })
  })

  test('NULL is compared as a value, and every type exactly', async () => {
    await fill()
    const columns = Object.keys(system.odd)
    const literals = (which: 'first' | 'second') => Object.values(system.odd).map((one) => one[which])
    const list = Object.entries(system.odd).map(([column, { type }]) => `${quote(column)} ${type}`)
    await sql(`CREATE TABLE odd (id INTEGER PRIMARY KEY, ${list.join(', ')})`)
    await sql(`INSERT INTO odd VALUES (1, ${literals('first').join(', ')})`)
    await sql(`INSERT INTO odd VALUES (2, ${literals('second').join(', ')})`)
    await sql(`INSERT INTO odd (id) VALUES (3)`)
    const [first, second, empty] = await read('SELECT * FROM odd ORDER BY id')
    const { id: _, ...values } = second!
    // Row 1 gets the values of row 2, the empty one those of the first, and row 2 nothing but NULLs.
    const nulls = Object.fromEntries(columns.map((column) => [column, null]))
    const { id: __, ...firsts } = first!
    const written = await system.world().write(system.id(), {
      resource: 'odd',
      edits: [
        { kind: 'update', original: first, values },
        { kind: 'update', original: empty, values: firsts },
        { kind: 'update', original: second, values: nulls },
      ],
    })
    expect(written.changed).toBe(3)
    const now = await read('SELECT * FROM odd ORDER BY id')
    expect(now).toEqual([
      { ...values, id: first!['id'] },
      { ...nulls, id: second!['id'] },
      { ...firsts, id: empty!['id'] },
    ])
    // The database itself finds them equal to what its own literals give.
    for (const [column, { second: literal }] of Object.entries(system.odd)) {
      await sql(`UPDATE odd SET ${quote(column)} = ${literal} WHERE id = 2`)
    }
    const again = await read('SELECT * FROM odd WHERE id <= 2 ORDER BY id')
    expect({ ...again[0], id: 0 }).toEqual({ ...again[1], id: 0 })
    expect(
      await system.world().post(system.id(), { resource: 'odd', edits: [{ kind: 'delete', original: empty }] }),
    ).toMatchObject({ status: 409 })
  })

  test('names and values of any kind are names and values', async () => {
    await fill()
    const table = `o"dd'`
    await sql(`CREATE TABLE ${quote(table)} (id INTEGER PRIMARY KEY, ${quote(hostile)} VARCHAR(500))`)
    const resource = table === `o"dd'` ? `"o""dd'"` : table
    const written = await system.world().write(system.id(), {
      resource,
      edits: [{ kind: 'insert', values: { id: system.one, [hostile]: hostile } }],
    })
    expect(written.changed).toBe(1)
    expect(await sql(`SELECT ${quote(hostile)} FROM ${quote(table)}`)).toEqual([[hostile]])
    expect(await people()).toHaveLength(3)
    for (const values of [{ 'id) VALUES (9); --': system.one }, { id: system.one, nothing: 1 }]) {
      const answer = await system.world().post(system.id(), { resource, edits: [{ kind: 'insert', values }] })
      expect(answer).toMatchObject(refusedFor('column_unknown'))
    }
    const wrong = { resource: 'people', edits: [{ kind: 'insert', values: { id: '1; DROP TABLE people' } }] }
    expect(await system.world().post(system.id(), wrong)).toMatchObject(refusedFor('change_value_form'))
  })

  test('tables without a key and views are refused with the reason', async () => {
    await sql('CREATE TABLE keyless (n INTEGER)')
    await sql('INSERT INTO keyless VALUES (1)')
    await sql('CREATE VIEW grown AS SELECT id, name FROM people')
    const edit = { kind: 'delete', original: { n: system.one } }
    expect(await system.world().post(system.id(), { resource: 'keyless', edits: [edit] })).toMatchObject(
      refusedFor('change_without_key'),
    )
    const insert = { kind: 'insert', values: { n: system.two } }
    expect(await system.world().write(system.id(), { resource: 'keyless', edits: [insert] })).toMatchObject({
      changed: 1,
    })
    expect(
      await system
        .world()
        .post(system.id(), { resource: 'grown', edits: [{ kind: 'delete', original: { id: system.one } }] }),
    ).toMatchObject(refusedFor('change_of_view'))
    const unkeyed = { resource: 'people', edits: [{ kind: 'delete', original: { name: 'Ada' } }] }
    expect(await system.world().post(system.id(), unkeyed)).toMatchObject(refusedFor('change_key_missing'))
  })

  test('statements are counted without being run, and bound to that count', async () => {
    await fill()
    const body = raw('UPDATE people SET age = age + :more WHERE age > :least', { more: 1, least: 40 })
    const review = await system.world().review(system.id(), body)
    expect(review).toMatchObject({
      rows: 2,
      statements: [
        {
          rows: 2,
          changed: null,
          values: [
            { name: 'more', value: 1 },
            { name: 'least', value: 40 },
          ],
        },
      ],
    })
    expect((await people()).map((row) => Number(row[2]))).toEqual([36, 45, 41])
    await sql("INSERT INTO people VALUES (9, 'Late', 99)")
    const late = await system.world().post(system.id(), { ...body, confirmation: review.confirmation })
    expect(late).toMatchObject({ status: 409, body: { details: [{ code: 'changes_differ' }] } })
    expect((await people()).map((row) => Number(row[2]))).toEqual([36, 45, 41, 99])
    expect(await system.world().write(system.id(), body)).toMatchObject({ state: 'written', changed: 3 })
    for (const [statement, rows] of [
      ["INSERT INTO people (id, name, age) VALUES (10, 'a, b', 1), (11, '(', 2)", 2],
      ['INSERT INTO people SELECT id + 100, name, age FROM people WHERE id < 4', 3],
      ['DELETE FROM people WHERE id IN (SELECT id FROM people WHERE age IS NOT NULL)', 6],
      ['DELETE FROM people', 6],
      ['UPDATE people SET name = NULL', 6],
    ] as const) {
      const { rows: counted } = await system.world().review(system.id(), raw(statement))
      expect([statement, counted]).toEqual([statement, statement.startsWith('INSERT') ? rows : 4])
    }
    for (const statement of [
      'DROP TABLE people',
      'SELECT * FROM people',
      'DELETE FROM people; DELETE FROM people',
      'UPDATE people SET age = 1 WHERE id = 1; DROP TABLE people',
      'TRUNCATE people',
      'WITH gone AS (DELETE FROM people RETURNING *) DELETE FROM people',
    ]) {
      expect(await system.world().post(system.id(), raw(statement))).toMatchObject({ status: 400 })
    }
    expect(await people()).toHaveLength(4)
  })

  test('the builder inserts, updates, and deletes with bound values', async () => {
    await fill()
    const definition = {
      mode: 'visual',
      action: 'update',
      filters: [{ field: 'name', operator: '=', value: '{{who}}' }],
      values: [{ field: 'name', value: '{{who}} of {{place}}' }],
      parameters: [
        { name: 'who', label: 'Who', type: 'string' },
        { name: 'place', label: 'Place', type: 'string', defaultValue: 'London' },
      ],
    }
    const parameters = { who: 'Ada' }
    expect(await system.world().write(system.id(), { resource: 'people', definition, parameters })).toMatchObject({
      rows: 1,
      changed: 1,
    })
    expect((await people())[0]?.[1]).toBe('Ada of London')
    // A value is never an operator, a list, or a placeholder itself.
    const sly = { who: "x' OR 1=1 --{{place}}" }
    expect(await system.world().review(system.id(), { resource: 'people', definition, parameters: sly })).toMatchObject(
      { rows: 0 },
    )
    const removal = { mode: 'visual', action: 'delete', filters: [{ field: 'id', operator: 'in', value: '1, 3' }] }
    expect(await system.world().write(system.id(), { resource: 'people', definition: removal })).toMatchObject({
      changed: 2,
    })
    expect((await people()).map((row) => row[1])).toEqual(['Grace'])
    const refused = await system.world().post(system.id(), { resource: 'people', definition })
    expect(refused).toMatchObject(refusedFor('change_parameter_missing'))
  })

  test('a change touches the rows that a query with the same conditions finds', async () => {
    await fill()
    await sql('INSERT INTO people VALUES (4, NULL, NULL)')
    expect(await changesThatDiffer(system.world(), system.id())).toEqual([])
    expect(await system.world().post(system.id(), { resource: 'people', definition: emptyList })).toMatchObject(
      refusedFor('change_list_empty'),
    )
  })

  test('a refusal in the middle leaves nothing behind', async () => {
    await fill()
    const [ada] = await read('SELECT * FROM people ORDER BY id')
    const answer = async () => {
      const body = {
        resource: 'people',
        edits: [
          { kind: 'delete', original: ada },
          { kind: 'insert', values: { id: system.two, name: 'Twice' } },
        ],
      }
      const { confirmation } = await system.world().review(system.id(), body)
      return system.world().post(system.id(), { ...body, confirmation })
    }
    expect(await answer()).toMatchObject({ status: 502 })
    expect((await people()).map((row) => row[1])).toEqual(['Ada', 'Grace', 'Alan'])
  })
}
