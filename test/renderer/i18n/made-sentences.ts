/** Sentences that a part of the source can make, with a sample in place of what it puts in: `There is no column \`7\`.` */
import { parseSync } from '@swc/core'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

interface Node {
  type: string
  [key: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

const nodesIn = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [])

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** Stands for anything that is put in. */
const sample = '7'

/** All that an expression may come to: both sides of a condition, each with samples. */
function textsOf(node: Node): string[] {
  if (node.type === 'StringLiteral') return [textOf(node.value)]
  if (node.type === 'ParenthesisExpression') return nodesIn(node.expression).flatMap(textsOf)
  if (node.type === 'ConditionalExpression')
    return [...nodesIn(node.consequent), ...nodesIn(node.alternate)].flatMap(textsOf)
  if (node.type === 'BinaryExpression' && node.operator === '??') return nodesIn(node.left).flatMap(textsOf)
  if (node.type !== 'TemplateLiteral') return [sample]
  const values = nodesIn(node.expressions).map(textsOf)
  return nodesIn(node.quasis).reduce(
    (texts, part, at) => {
      const before = at === 0 ? [''] : (values[at - 1] ?? [sample])
      return texts.flatMap((text) => before.map((value) => text + value + textOf(part.cooked)))
    },
    [''],
  )
}

/** Not said to anybody as a sentence: documentation, names, code. */
const besides = new Set(['description', 'documentation', 'title', 'examples', 'signature', 'markdown', 'summary'])

function* walk(node: Node): Generator<string> {
  if (node.type === 'ImportDeclaration' || node.type.startsWith('Ts')) return
  if (node.type === 'KeyValueProperty' && isNode(node.key) && besides.has(textOf(node.key.value))) return
  if (['StringLiteral', 'TemplateLiteral', 'ConditionalExpression'].includes(node.type)) yield* textsOf(node)
  if (node.type === 'StringLiteral' || node.type === 'TemplateLiteral') return
  for (const [name, value] of Object.entries(node)) {
    // What a condition may come to is said above, with what it stands in.
    if (node.type === 'ConditionalExpression' && name !== 'test') {
      for (const part of nodesIn(value)) if (!/Literal$|^Conditional/.test(part.type)) yield* walk(part)
    } else {
      for (const part of Array.isArray(value) ? value.flatMap((one) => nodesIn(unwrapped(one))) : nodesIn(value))
        yield* walk(part)
    }
  }
}

/** Arguments and elements of lists stand in an object of their own. */
const unwrapped = (value: unknown) =>
  typeof value === 'object' && value !== null && 'expression' in value && !isNode(value) ? value.expression : value

const isSentence = (text: string) => /^["`A-Z7].* .*[.?]$/s.test(text)

/** Every sentence of the files below a folder of the source; `wanted` says of which files. */
export function madeSentences(folder: string, wanted: (name: string) => boolean = () => true): Set<string> {
  const root = join(import.meta.dirname, '../../../src', folder)
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const sentences = names.filter(wanted).flatMap((name) => {
    const { body } = parseSync(readFileSync(join(root, name), 'utf8'), { syntax: 'typescript' })
    return nodesIn(body).flatMap((node) => [...walk(node)])
  })
  return new Set(sentences.filter(isSentence))
}
