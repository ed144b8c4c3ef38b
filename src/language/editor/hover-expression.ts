import { functions } from '../expressions/functions.ts'
import type { ScopeDescription } from '../expressions/references.ts'
import type { ArgumentSpec } from '../task/task.types.ts'
import { fieldsAt } from './complete-embedded.ts'
import type { Hover } from './hover.types.ts'

/** What the name or function at an offset of an expression means. `declared`: what the author's own names are, by root. */
export function hoverExpression(
  text: string,
  offset: number,
  start: number,
  scope: ScopeDescription,
  declared: Readonly<Record<string, Record<string, ArgumentSpec>>>,
): Hover | null {
  const before = /\$?[\w.]*$/.exec(text.slice(start, offset))?.[0] ?? ''
  const after = /^\w*/.exec(text.slice(offset))?.[0] ?? ''
  const word = before + after
  const from = offset - before.length
  const to = offset + after.length
  if (word.startsWith('$')) {
    const definition = functions.get(word.slice(1))
    return definition ? { markdown: `**${definition.signature}**\n\n${definition.description}`, from, to } : null
  }
  const [rootName = '', field, part] = word.split('.')
  const root = Object.hasOwn(scope, rootName) ? scope[rootName] : undefined
  if (!root) return null
  if (field === undefined) return { markdown: `**${rootName}** — ${root.description}`, from, to }
  const specs = Object.hasOwn(declared, rootName) ? declared[rootName] : undefined
  const spec = specs && Object.hasOwn(specs, field) ? specs[field] : undefined
  if (spec) return { markdown: argumentMarkdown(field, spec, rootName === 'args' ? 'argument' : 'parameter'), from, to }
  const path = part === undefined ? [rootName] : [rootName, field]
  const fields = fieldsAt(path, scope)
  const name = part ?? field
  const description = Object.hasOwn(fields, name) ? fields[name] : undefined
  return description ? { markdown: `**${[...path, name].join('.')}** — ${description}`, from, to } : null
}

export function argumentMarkdown(name: string, spec: ArgumentSpec, noun = 'argument'): string {
  const lines = [`**${name}** — ${noun}, ${spec.type}${spec.required ? ', required' : ''}`]
  if (spec.description) lines.push('', spec.description)
  if (spec.default !== undefined) lines.push('', `Default: \`${JSON.stringify(spec.default)}\``)
  if (spec.enum) lines.push('', `One of ${spec.enum.map((value) => `\`${JSON.stringify(value)}\``).join(', ')}`)
  return lines.join('\n')
}
