import { listOf, object, required, withDefault } from '../../shape/collections.ts'
import { record } from '../../shape/record.ts'
import { reportType } from '../../shape/report-value.ts'
import { number, text } from '../../shape/scalars.ts'
import type { Shape } from '../../shape/shape.types.ts'
import { joinPath } from '../../yaml/yaml-tree.ts'
import { commonFields, normalizeBase } from '../common-fields.ts'
import type { CommandTask } from './task-document.types.ts'
import { defineKind } from './kind.types.ts'
import { msg } from '../../messages.ts'
import type { TextProblem } from '../../shape/scalars.ts'

const noNul = (value: string): TextProblem | null =>
  value.includes('\0') ? { code: 'invalid_value', message: msg('contains_nul'), hint: msg('remove_it') } : null

const words = listOf(
  text({
    description: 'The program, or one of its arguments. No character is special, because there is no shell.',
    template: true,
    minLength: 0,
    maxLength: 32_000,
    check: noNul,
  }),
  {
    description:
      'The program and its arguments, one per item. It runs without a shell, so `*`, `|`, and `$` have no special meaning.',
    min: 1,
    max: 1_000,
    examples: [['/usr/bin/rsync', '-a', '/data/in/', '/data/out/']],
  },
)

const argv: Shape<string[]> = {
  schema: words.schema,
  read(node, path, context) {
    if (node.kind !== 'list') return reportType(node, path, context, msg('a_list'), msg('write_command'))
    const values = words.read(node, path, context)
    if (!values || values[0] !== '') return values
    context.report({
      code: 'wrong_length',
      message: msg('program_unnamed'),
      hint: msg('write_program'),
      path: joinPath(path, 0),
      at: node.items[0]?.mark ?? node.mark,
    })
    return undefined
  },
}

const long = object(
  {
    argv: required(argv),
    env: withDefault(
      record(
        text({
          description: 'The value.',
          template: true,
          minLength: 0,
          maxLength: 32_000,
          check: noNul,
          examples: ['eu'],
        }),
        {
          description:
            'Environment variables, in addition to the few that every program gets (`PATH`, `HOME`, `LANG`, …). Don’t put secrets here: everyone who can read the task sees them.',
          examples: [{ REGION: '${{ args.region }}' }],
          max: 100,
          key: { pattern: /^[A-Za-z_][A-Za-z0-9_]*$/, wanted: msg('variable_wanted') },
        },
      ),
      {},
      null,
    ),
    success_codes: withDefault(
      listOf(number({ description: 'An exit code.', integer: true, min: 0, max: 255 }), {
        description: 'Exit codes that mean success.',
        min: 1,
        max: 256,
        unique: true,
        examples: [[0, 1]],
      }),
      [0],
    ),
  },
  {
    noun: msg('named', { name: 'command' }),
    description: 'A program on the executor’s machine, with its environment.',
  },
)

const command: Shape<CommandTask['command']> = {
  schema: {
    description:
      'A program on the executor’s machine. Executors refuse it unless their owner allows it (`HEADGATE_EXECUTOR_COMMANDS`).',
    examples: argv.schema.examples ?? [],
    anyOf: [argv.schema, long.schema],
  },
  read(node, path, context) {
    if (node.kind === 'map') return long.read(node, path, context)
    const values = argv.read(node, path, context)
    return values ? { argv: values, env: {}, success_codes: [0] } : undefined
  },
}

const shape = object(
  { ...commonFields('command'), command: required(command) },
  {
    noun: msg('a_task_of_kind', { kind: 'command' }),
    description: 'A task that runs a program on the executor’s machine.',
  },
)

export const commandKind = defineKind<CommandTask>({
  kind: 'command',
  shape,
  results: {
    result: {
      description: 'How the program ended.',
      fields: { exit_code: 'Its exit code.', stdout: 'The last 64 KB of its standard output.' },
    },
  },
  read(root, context) {
    const values = shape.read(root, '', context)
    return values ? { ...normalizeBase(values), kind: 'command', command: values.command } : null
  },
  resolve(task, resolver) {
    const { argv: written, env } = task.command
    const filled = (value: string, path: string): string => resolver.text(value, path, noNul, { empty: true })
    return {
      ...task,
      command: {
        ...task.command,
        argv: written.map((word, index) => filled(word, joinPath('command.argv', index))),
        env: Object.fromEntries(
          Object.entries(env).map(([name, value]) => [name, filled(value, joinPath('command.env', name))]),
        ),
      },
    }
  },
})
