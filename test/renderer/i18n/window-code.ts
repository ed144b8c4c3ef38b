/** The window's source as a parser reads it: which texts stand where. */
import { parseSync } from '@swc/core'
import { readFileSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

const root = join(import.meta.dirname, '../../../src/renderer')

interface Node {
  type: string
  [key: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

function* childrenOf(node: object): Generator<Node> {
  for (const value of Object.values(node)) {
    if (isNode(value)) yield value
    else if (typeof value === 'object' && value !== null) yield* childrenOf(value)
  }
}

function* everyNode(node: object): Generator<Node> {
  for (const child of childrenOf(node)) {
    yield child
    yield* everyNode(child)
  }
}

const files = () =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('i18n'))
    .map((name) => join(root, name))

/** Parsed once: every file of the window but the words. */
export const sources = files().map((path) => ({
  name: relative(root, path),
  nodes: [...everyNode(parseSync(readFileSync(path, 'utf8'), { syntax: 'typescript', tsx: path.endsWith('x') }))],
}))

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** The fixed parts of a template, between its `${}`. */
const fixedParts = (template: Node) =>
  Array.isArray(template.quasis)
    ? template.quasis.map((part: unknown) => (isNode(part) ? textOf(part.cooked) : ''))
    : []

/** Texts that an expression may come to without a call: of `ready ? 'yes' : t('no')` it is `yes`. */
function* ownTexts(node: Node): Generator<string> {
  if (node.type === 'StringLiteral' || node.type === 'JSXText') yield textOf(node.value)
  else if (node.type === 'TemplateLiteral') yield fixedParts(node).join(' ')
  else if (node.type === 'ConditionalExpression') {
    for (const part of [node.consequent, node.alternate]) if (isNode(part)) yield* ownTexts(part)
  } else if (/^(Parenthesis|Binary|JSXExpressionContainer|TsAs)/.test(node.type)) {
    for (const part of [node.expression, node.left, node.right]) if (isNode(part)) yield* ownTexts(part)
  }
}

const spoken = new Set([
  'aria-label',
  'aria-description',
  'title',
  'placeholder',
  'label',
  'alt',
  'description',
  'text',
])
/** The same as properties of objects: notices, commands, columns. */
const said = new Set(['title', 'label', 'message', 'placeholder', 'description'])

/** What a person would read or hear, written in the code itself. */
export function* writtenWords(nodes: readonly Node[]): Generator<string> {
  for (const node of nodes) {
    if ((node.type === 'JSXElement' || node.type === 'JSXFragment') && Array.isArray(node.children)) {
      for (const child of node.children) if (isNode(child)) yield* ownTexts(child)
    }
    if (node.type === 'KeyValueProperty' && isNode(node.key) && isNode(node.value)) {
      if (said.has(textOf(node.key.value))) yield* ownTexts(node.value)
    }
    if (node.type === 'JSXAttribute' && isNode(node.name) && isNode(node.value)) {
      if (spoken.has(textOf(node.name.value))) yield* ownTexts(node.value)
    }
  }
}

/** Every text of the code, and every template as the pattern of what it may become. */
export function namedKeys(): { texts: Set<string>; patterns: RegExp[] } {
  const texts = new Set<string>()
  const patterns = new Set<string>()
  for (const node of sources.flatMap(({ nodes }) => nodes)) {
    if (node.type === 'StringLiteral') texts.add(textOf(node.value))
    // A template of one word and nothing fixed would fit every key.
    if (node.type === 'TemplateLiteral' && /^[\w.-]*\.|\.[\w-]+$/.test(fixedParts(node).join(''))) {
      patterns.add(
        fixedParts(node)
          .map((part) => part.replaceAll(/[^\w-]/g, String.raw`\$&`))
          .join(String.raw`[\w.-]+`),
      )
    }
  }
  return { texts, patterns: [...patterns].map((pattern) => new RegExp(`^${pattern}$`)) }
}
