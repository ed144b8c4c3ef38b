import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import type { Finding } from '../../../src/language/diagnostic-collector.ts'
import { readYaml } from '../../../src/language/yaml/read-yaml.ts'
import { MAX_DEPTH } from '../../../src/language/yaml/scan-tokens.ts'
import type { YamlNode } from '../../../src/language/yaml/yaml-tree.ts'

function plain(node: YamlNode): unknown {
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'list') return node.items.map(plain)
  return Object.fromEntries(node.entries.map((entry) => [entry.key, plain(entry.value)]))
}
function read(text: string): { value: unknown; codes: string[] } {
  const findings: Finding[] = []
  const { root } = readYaml(text, (finding) => findings.push(finding))
  return { value: root ? plain(root) : null, codes: findings.map((finding) => finding.code) }
}
const nestedFlow = (levels: number): string => `${'['.repeat(levels)}1${']'.repeat(levels)}`
const nestedBlock = (levels: number): string =>
  Array.from({ length: levels }, (_, level) => `${' '.repeat(level)}k:${level === levels - 1 ? ' 1' : ''}`).join('\n')
const nestedDashes = (levels: number): string => `${'- '.repeat(levels)}a`
const nestedListsInMaps = (pairs: number): string =>
  Array.from({ length: pairs }, (_, level) => `${'  '.repeat(level)}${level === 0 ? '' : '- '}k:`).join('\n')

describe('readYaml', () => {
  it('reads what the YAML library reads', () => {
    const key = fc.stringMatching(/^[a-z][a-z0-9 _-]{0,8}[a-z]$/).filter((name) => !/^(null|true|false)$/.test(name))
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.string({ unit: 'grapheme', maxLength: 20 }),
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
        fc.boolean(),
        fc.constant(null),
        fc.constantFrom(
          'yes',
          'no',
          '0x1F',
          '1_000',
          '012',
          '~',
          'null',
          '- a',
          'a: b',
          '# c',
          '{{',
          '|',
          '>',
          '"',
          "'",
          'line\nline\n',
          ' ',
        ),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
      ),
    }))
    fc.assert(
      fc.property(
        fc.dictionary(key, value, { minKeys: 1, noNullPrototype: true }),
        fc.boolean(),
        fc.nat(3),
        (data, flow, indent) => {
          const text = stringify(data, { collectionStyle: flow ? 'flow' : 'block', indent: indent + 1, version: '1.2' })
          expect(read(text).value).toEqual(JSON.parse(JSON.stringify(parse(text))))
        },
      ),
      { numRuns: 1500 },
    )
  })

  it.each([
    ['flow lists', nestedFlow],
    ['block maps', nestedBlock],
    ['lists on one line', nestedDashes],
  ])('allows 64 levels of %s and no more', (_name, nested) => {
    expect(read(nested(MAX_DEPTH)).codes).toEqual([])
    expect(read(nested(MAX_DEPTH + 1)).codes).toEqual(['too_deep'])
  })

  it('counts a list under a key as a level of its own, also at the same column', () => {
    expect(read(nestedListsInMaps(32)).codes).toEqual([])
    expect(read(nestedListsInMaps(34)).codes).toEqual(['too_deep'])
    const flat = Array.from({ length: 500 }, (_, index) => `k${index}:\n- a: 1\n  b:\n  - c\n`).join('')
    expect(read(flat).codes).toEqual([])
  })

  it('does not take brackets inside text for nesting', () => {
    expect(
      read(`a: "${'['.repeat(500)}"\nb: |\n  ${'{'.repeat(500)}\nc: x${'['.repeat(500)}\n# ${'['.repeat(500)}\n`).codes,
    ).toEqual([])
  })

  it.each([
    ['012', 12],
    ['0o17', 15],
    ['0x1F', 31],
    ['1_000', '1_000'],
    ['yes', 'yes'],
    ['on', 'on'],
    ['~', null],
    ['True', true],
    ['+1', 1],
    ['.5', 0.5],
    ['1.', 1],
    ['1e3', 1000],
    ['12:30', '12:30'],
    ['2024-01-01', '2024-01-01'],
    ['=', '='],
    ['0b1', '0b1'],
    ['"1"', '1'],
  ])('reads %s by the core schema of YAML 1.2', (written, expected) => {
    expect(read(`a: ${written}`).value).toEqual({ a: expected })
  })

  it('takes a hundred aliases', () => {
    const list = (count: number): string => `a: &a 1\nb: [${Array.from({ length: count }, () => '*a').join(', ')}]\n`
    expect(read(list(100)).codes).toEqual([])
    expect(read(list(101)).codes).toEqual(['too_many_aliases'])
  })

  it('has places for all it reads', () => {
    const text = 'a: {b: [1, "two", three]}\nc: |\n  block\nd:\n'
    const keys: string[] = []
    const values: string[] = []
    const visit = (node: YamlNode): void => {
      if (node.kind === 'scalar') values.push(text.slice(node.start, node.end))
      else if (node.kind === 'list') node.items.forEach(visit)
      else {
        for (const entry of node.entries) {
          keys.push(text.slice(entry.keySpan.start, entry.keySpan.end))
          visit(entry.value)
        }
      }
    }
    const { root } = readYaml(text, () => {})
    for (const node of root ? [root] : []) visit(node)
    expect(keys).toEqual(['a', 'b', 'c', 'd'])
    // A key without a value has its own place.
    expect(values).toEqual(['1', '"two"', 'three', '|\n  block', 'd'])
  })
})
