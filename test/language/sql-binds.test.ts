import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { compileBinds, findBinds, writtenOffset, type SqlDialect } from '../../src/language/sql-binds.ts'

const dialects: SqlDialect[] = ['duckdb', 'sqlite', 'postgres', 'mysql']

test('every offset of compiled SQL leads back to where it was written', () => {
  const sql = "SELECT :a, ':a' || :long_name, (:a) + :b::int FROM t WHERE x = :long_name AND y"
  for (const dialect of dialects) {
    const { sql: compiled } = compileBinds(sql, dialect)
    for (const word of ["':a'", '||', '(', 'FROM', 'x =', 'AND', ' y']) {
      expect(writtenOffset(sql, dialect, compiled.indexOf(word))).toBe(sql.indexOf(word))
    }
    const places = findBinds(sql, dialect).map(({ start }) => start)
    const offsets = [...compiled].map((_, at) => writtenOffset(sql, dialect, at))
    expect(offsets).toEqual(expect.arrayContaining(places))
    expect(offsets.toSorted((one, other) => one - other)).toEqual(offsets)
  }
})

describe('compileBinds', () => {
  it('numbers names in order of first appearance, each once', () => {
    const sql = 'SELECT :b, :a WHERE x = :b'
    expect(compileBinds(sql, 'duckdb')).toEqual({ sql: 'SELECT $1, $2 WHERE x = $1', names: ['b', 'a'] })
    expect(compileBinds(sql, 'postgres')).toEqual({ sql: 'SELECT $1, $2 WHERE x = $1', names: ['b', 'a'] })
    expect(compileBinds(sql, 'sqlite')).toEqual({ sql, names: ['b', 'a'] })
  })

  it.each([
    ["':a'", []],
    ["'it''s :a' || :b", ['b']],
    ['":a" + :b', ['b']],
    ['-- :a\n:b', ['b']],
    ['/* :a /* :b */ :c */ :d', ['d']],
    ['$$ :a $$ :b', ['b']],
    ['$tag$ :a $$ $tag$ :b', ['b']],
    ["E'\\' :a' :b", ['b']],
    ['x::text = :a::text', ['a']],
    ['list[i:j] + list[:a]', ['a']],
    ['{k:v} {k: :a}', ['a']],
    ["{'k':v}", []],
    ['f(:a,:b)', ['a', 'b']],
    ['a=:a', ['a']],
    ['CASE WHEN x THEN :a END', ['a']],
    ['x := :a', ['a']],
    ['12:34', []],
    ['SELECT total: a + :b', ['b']],
    [':é', []],
    ['name$:a', []],
  ])('finds binds in %s', (sql, names) => {
    expect(findBinds(sql, 'duckdb').map((bind) => bind.name)).toEqual(names)
    expect(findBinds(sql, 'postgres').map((bind) => bind.name)).toEqual(names)
  })

  it.each([
    ['-- :a\r:b', ['b']],
    ["E'a'\n'\\' :a' || :b", ['b']],
    ["E'a' -- x\n'\\' :a' || :b", ['b']],
    ["E'a' '\\' || :b", ['b']],
    ['😀$a$ = :a AND 😀$a$ = :b', ['a', 'b']],
    ['$😀$ :a $😀$ :b', ['b']],
    ['1$a$ :a $a$ :b', ['b']],
  ])('takes quotes, names, and lines as PostgreSQL does in %j', (sql, names) => {
    expect(findBinds(sql, 'duckdb').map((bind) => bind.name)).toEqual(names)
    expect(findBinds(sql, 'postgres').map((bind) => bind.name)).toEqual(names)
  })

  it('ends comments where each system does', () => {
    expect(findBinds('-- :a\r:b\n:c', 'sqlite').map((bind) => bind.name)).toEqual(['c'])
    expect(findBinds('-- :a\r:b\n:c', 'mysql').map((bind) => bind.name)).toEqual(['c'])
    expect(findBinds('--\u0001 :a\n:c', 'mysql').map((bind) => bind.name)).toEqual(['c'])
    expect(findBinds('--\u00a0 :a\n:c', 'mysql').map((bind) => bind.name)).toEqual(['a', 'c'])
  })

  it('knows the quotes of SQLite, whose comments do not nest', () => {
    expect(findBinds('[a :b] `:c` :d', 'sqlite').map((bind) => bind.name)).toEqual(['d'])
    expect(findBinds('/* /* */ :a', 'sqlite').map((bind) => bind.name)).toEqual(['a'])
    expect(findBinds("E'\\' :a", 'sqlite').map((bind) => bind.name)).toEqual(['a'])
  })

  it('knows the quotes and comments of MySQL, and binds a `?` for every use', () => {
    const names = (sql: string): string[] => findBinds(sql, 'mysql').map((bind) => bind.name)
    expect(names('`:a` \':b \\\' :c\' ":d \\" :e" # :f\n :g')).toEqual(['g'])
    expect(names('SELECT 5--:a\n, :b -- :c')).toEqual(['a', 'b'])
    expect(names('/* /* */ :a $q$ :b $q$')).toEqual(['a', 'b'])
    expect(names("E'\\' :a'")).toEqual([])
    expect(compileBinds('a = :x AND b = :y OR c = :x', 'mysql')).toEqual({
      sql: 'a = ? AND b = ? OR c = ?',
      names: ['x', 'y', 'x'],
    })
    expect(compileBinds('a = :x AND b = :y OR c = :x', 'duckdb')).toEqual({
      sql: 'a = $1 AND b = $2 OR c = $1',
      names: ['x', 'y'],
    })
  })

  it('never touches text inside quotes and comments, and keeps everything else', () => {
    const inside = fc.string({ unit: fc.constantFrom(':', 'a', ' ', '(', '\n', '+', ';'), maxLength: 12 })
    const quoted = inside.chain((text) =>
      fc.constantFrom(`'${text}'`, `"${text}"`, `$q$${text}$q$`, `/*${text}*/`, `--${text.replaceAll('\n', ' ')}\n`),
    )
    const piece = fc.oneof(
      quoted.map((text) => ({ text, bind: null })),
      fc.constantFrom('a', 'b', 'long_1').map((name) => ({ text: `:${name}`, bind: name })),
      fc.constantFrom('x::int', 'SELECT', '1.5', '(', ')', '||', '=').map((text) => ({ text, bind: null })),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const sql = pieces.map(({ text }) => text).join(' ')
        const names = [...new Set(pieces.flatMap(({ bind }) => (bind === null ? [] : [bind])))]
        const compiled = compileBinds(sql, 'postgres')
        expect(compiled.names).toEqual(names)
        expect(compiled.sql).toBe(
          pieces.map(({ text, bind }) => (bind === null ? text : `$${names.indexOf(bind) + 1}`)).join(' '),
        )
      }),
      { numRuns: 1000 },
    )
  })

  it.each(dialects)('never throws in %s, and rewrites only what it found', (dialect) => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...`:ab1'"$/*-\`[]{}();E \\\n`), maxLength: 60 }), (sql) => {
        let rest = ''
        let at = 0
        for (const bind of findBinds(sql, dialect)) {
          expect(sql.slice(bind.start, bind.end)).toBe(`:${bind.name}`)
          rest += sql.slice(at, bind.start)
          at = bind.end
        }
        const compiled = compileBinds(sql, dialect)
        rest += sql.slice(at)
        expect(compiled.sql === sql || dialect !== 'sqlite').toBe(true)
        expect(compiled.sql.length).toBeGreaterThanOrEqual(rest.length)
      }),
      { numRuns: 1500 },
    )
  })
})
