import { object, required, withDefault } from '../../shape/collections.ts'
import { locateInScalar } from '../../shape/locate.ts'
import { nameOf, reportType } from '../../shape/report-value.ts'
import { number } from '../../shape/scalars.ts'
import type { Shape } from '../../shape/shape.types.ts'
import { commonFields, normalizeBase } from '../common-fields.ts'
import type { ScriptTask } from './task-document.types.ts'
import { defineKind } from './kind.types.ts'
import { msg } from '../../messages.ts'

const MAX_CODE = 200_000

const code: Shape<string> = {
  schema: {
    type: 'string',
    description:
      'JavaScript: the body of a function that returns the result. `args` and `run` are globals, and `console.log` writes to the log. Files, network, and timers are not available. Numbers are JavaScript numbers; a BigInt in the result becomes a number if it fits exactly, otherwise text.',
    examples: ['return {total: args.parts.reduce((sum, part) => sum + part, 0)}'],
    minLength: 1,
    maxLength: MAX_CODE,
  },
  read(node, path, context) {
    if (node.kind !== 'scalar' || typeof node.value !== 'string')
      return reportType(node, path, context, msg('text_script'))
    const { value } = node
    if (value.trim() === '' || value.length > MAX_CODE) {
      context.report({
        code: 'wrong_length',
        message:
          value.trim() === ''
            ? msg('value_empty', { name: nameOf(path) })
            : msg('script_too_long', { name: nameOf(path), limit: MAX_CODE }),
        hint: value.trim() === '' ? msg('write_script') : msg('shorten'),
        path,
        at: node.mark,
      })
      return undefined
    }
    const at = value.indexOf('${{')
    if (at === -1) {
      // Which of its arguments a script reads only shows when it runs; a mention counts.
      for (const name of context.binds) if (new RegExp(`\\b${name}\\b`).test(value)) context.used.arguments.add(name)
      return value
    }
    context.report({
      code: 'expression_not_allowed',
      message: msg('expression_in_script'),
      hint: msg('read_args'),
      path,
      at: locateInScalar(context.text, node, at, at + 3),
    })
    return undefined
  },
}

const long = object(
  {
    code: required(code),
    memory_mb: withDefault(
      number({
        description: 'Memory limit of the script, in megabytes.',
        integer: true,
        min: 1,
        max: 512,
        examples: [64],
      }),
      64,
    ),
  },
  {
    noun: msg('named', { name: 'script' }),
    description: 'A script with its limits. The `timeout` of the task limits its time.',
  },
)

const script: Shape<ScriptTask['script']> = {
  schema: {
    description: 'JavaScript that computes something from the arguments, without access to files or the network.',
    examples: code.schema.examples ?? [],
    anyOf: [code.schema, long.schema],
  },
  read(node, path, context) {
    if (node.kind === 'map') return long.read(node, path, context)
    const text = code.read(node, path, context)
    return text === undefined ? undefined : { code: text, memory_mb: 64 }
  },
}

const shape = object(
  { ...commonFields('script'), script: required(script) },
  {
    noun: msg('a_task_of_kind', { kind: 'script' }),
    description: 'A task that runs a script without access to files or the network.',
  },
)

export const scriptKind = defineKind<ScriptTask>({
  kind: 'script',
  shape,
  results: { result: { description: 'What the script returned.', fields: null } },
  read(root, context) {
    const values = shape.read(root, '', context)
    return values ? { ...normalizeBase(values), kind: 'script', script: values.script } : null
  },
  resolve: (task) => task,
})
