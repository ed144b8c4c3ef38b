import { isOneExpression } from '../expressions/template.ts'
import { object, required, withDefault } from '../shape/collections.ts'
import { readJson } from '../shape/json-value.ts'
import { reportType } from '../shape/report-value.ts'
import { choice, number, text } from '../shape/scalars.ts'
import type { Shape } from '../shape/shape.types.ts'
import { NAME, NAME_WANTED } from '../task/connector-slots.ts'
import type { Json } from '../task/task.types.ts'
import type { ForEach } from './job.types.ts'
import { MAX_ITEMS, MAX_PARALLEL } from './limits.ts'
import { msg } from '../messages.ts'
import type { Message } from '../message.ts'
import type { TextProblem } from '../shape/scalars.ts'

const WANTED: Message = msg('a_list_or_expression')
const WRITE_LIST: Message = msg('write_items')

const list: Shape<Json> = {
  schema: {
    description: `The items to run the task for: a list of at most ${MAX_ITEMS} items, or one expression that returns a list. With an empty list the task succeeds.`,
    examples: ['${{ parameters.regions }}', ['eu', 'us']],
    'x-template': true,
  },
  read(node, path, context) {
    if (node.kind === 'map' || (node.kind === 'scalar' && typeof node.value !== 'string'))
      return reportType(node, path, context, WANTED, WRITE_LIST)
    if (node.kind === 'list' && node.items.length > MAX_ITEMS) {
      context.report({
        code: 'wrong_length',
        message: msg('in_too_long', { count: node.items.length, limit: MAX_ITEMS }),
        hint: msg('remove_count', { count: node.items.length - MAX_ITEMS }),
        path,
        at: node.mark,
      })
      return undefined
    }
    const value = readJson(node, path, context, true)
    if (typeof value !== 'string' || isOneExpression(value)) return value
    return reportType(node, path, context, WANTED, WRITE_LIST)
  },
}

const as = text({
  description: 'Name of the current item, as in `${{ each.region }}`. `${{ each.index }}` counts from 0.',
  examples: ['region'],
  maxLength: 63,
  check(value): TextProblem | null {
    if (value === 'index')
      return {
        code: 'invalid_value',
        message: msg('index_is_taken'),
        hint: msg('choose_other_name'),
      }
    if (NAME.test(value)) return null
    return {
      code: 'invalid_value',
      message: msg('not_a_name', { key: value, wanted: NAME_WANTED }),
      hint: msg('choose_other_name'),
    }
  },
})

const fields = object(
  {
    in: required(list),
    as: withDefault(as, 'item'),
    max_parallel: withDefault(
      number({
        description: 'Maximum number of its runs at the same time; `concurrency.tasks` also limits them.',
        integer: true,
        min: 1,
        max: MAX_PARALLEL,
      }),
      8,
    ),
    on_item_error: withDefault(
      choice('What happens if an item fails.', {
        fail: 'No new items start, and the task fails.',
        continue: 'The other items run; the task is `completed`, or `failed` if all items failed.',
      }),
      'fail',
    ),
  },
  { noun: msg('named', { name: 'for_each' }), description: 'Runs the task once for each item of a list.' },
)

export const forEach: Shape<ForEach> = {
  schema: { ...fields.schema, examples: [{ in: '${{ parameters.regions }}', as: 'region', max_parallel: 2 }] },
  read: (node, path, context) => fields.read(node, path, context),
}
