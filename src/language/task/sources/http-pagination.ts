import { object, optional, required, withDefault } from '../../shape/collections.ts'
import { choice, flag, number, text } from '../../shape/scalars.ts'
import type { ReadContext, Shape } from '../../shape/shape.types.ts'
import { entryOf, joinPath, type YamlMap } from '../../yaml/yaml-tree.ts'
import type { Pagination } from './source.types.ts'
import { msg } from '../../messages.ts'
import type { TextProblem } from '../../shape/scalars.ts'

/** How `paginate` is written: one map for all kinds, of which each takes its own keys. */

export function checkDottedPath(value: string): TextProblem | null {
  if (value.split('.').every((part) => part.trim() !== '')) return null
  return {
    code: 'invalid_value',
    message: msg('response_path_part_empty'),
    hint: msg('write_response_path'),
  }
}

const parameter = (description: string, examples: string[]): Shape<string> =>
  text({ description, maxLength: 200, examples })

const fields = object(
  {
    kind: required(
      choice('Pagination method.', {
        none: 'There is only one page.',
        page: 'A page number in `param`. Ends at an empty list.',
        offset: 'The number of rows so far in `param`. Ends at an empty list.',
        cursor:
          'A value from the response (`from`) is sent in `param` of the next request. Ends if there is no value or `has_more` is false; without `has_more`, also at an empty list.',
        link: 'The `Link` header with `rel="next"`. Ends if there is none.',
        next_url: 'A URL in the response (`from`). Ends if there is none.',
      }),
    ),
    param: optional(
      parameter(
        'Query parameter for the page; it replaces the value under `query`. Required with `page`, `offset`, and `cursor`.',
        ['page', 'after'],
      ),
    ),
    start: optional(number({ description: 'Number of the first page; by default 1.', integer: true, min: 0 })),
    size_param: optional(parameter('Query parameter for the page size.', ['per_page'])),
    size: optional(
      number({ description: 'Value of `size_param`.', integer: true, min: 1, max: 1_000_000, examples: [200] }),
    ),
    from: optional(
      text({
        description:
          'Path to the cursor or the next URL in a response: keys separated by dots. Required with `cursor` and `next_url`.',
        maxLength: 500,
        examples: ['paging.next'],
        check: checkDottedPath,
      }),
    ),
    has_more: optional(
      text({
        description: 'Path to the value in a response that says whether there are more pages: keys separated by dots.',
        maxLength: 500,
        examples: ['paging.more'],
        check: checkDottedPath,
      }),
    ),
    max_pages: optional(
      number({
        description:
          'Maximum number of pages. More pages are an error, so that rows are never skipped silently. Required with every kind except `none`.',
        integer: true,
        min: 1,
        max: 1_000_000,
        examples: [5000],
      }),
    ),
    allow_repeats: withDefault(
      flag({
        description:
          'Whether a page can contain exactly the records of an earlier page. By default this is an error, because the API ignores the parameter or repeats a page, and rows would arrive twice.',
      }),
      false,
    ),
  },
  {
    noun: msg('named', { name: 'paginate' }),
    description:
      'How to read further pages. The run fails on a repeated page, on more pages than `max_pages`, and on a response without a list (status 204, or null at `records`) where more pages are possible.',
  },
)

type Kind = Pagination['kind']
type Key = Exclude<keyof typeof fields.fields, 'kind'>

const needed: Record<Kind, readonly Key[]> = {
  none: [],
  page: ['param', 'max_pages'],
  offset: ['param', 'max_pages'],
  cursor: ['from', 'param', 'max_pages'],
  link: ['max_pages'],
  next_url: ['from', 'max_pages'],
}
const allowed: Record<Kind, readonly Key[]> = {
  none: [],
  page: ['start', 'size_param', 'size', 'allow_repeats'],
  offset: ['size_param', 'size', 'allow_repeats'],
  cursor: ['has_more', 'allow_repeats'],
  link: ['allow_repeats'],
  next_url: ['allow_repeats'],
}
const examples: Record<Key, string> = {
  param: 'page',
  start: '1',
  size_param: 'per_page',
  size: '200',
  from: 'paging.next',
  has_more: 'paging.more',
  max_pages: '1000',
  allow_repeats: 'true',
}

export const pagination: Shape<Pagination> = {
  schema: {
    ...fields.schema,
    examples: [{ kind: 'cursor', from: 'paging.next', param: 'after', has_more: 'paging.more', max_pages: 5000 }],
  },
  read(node, path, context) {
    const values = fields.read(node, path, context)
    if (!values || node.kind !== 'map' || !checkKeys(values.kind, node, path, context)) return undefined
    // `checkKeys` saw to what each kind needs.
    const { kind, param = '', from = '', max_pages = 1, has_more = null, start = 1, allow_repeats } = values
    const sizes = { size_param: values.size_param ?? null, size: values.size ?? null }
    switch (kind) {
      case 'none':
        return { kind }
      case 'page':
        return { kind, param, start, ...sizes, max_pages, allow_repeats }
      case 'offset':
        return { kind, param, ...sizes, max_pages, allow_repeats }
      case 'cursor':
        return { kind, from, param, has_more, max_pages, allow_repeats }
      case 'link':
        return { kind, max_pages, allow_repeats }
      case 'next_url':
        return { kind, from, max_pages, allow_repeats }
    }
  },
}

function checkKeys(kind: Kind, map: YamlMap, path: string, context: ReadContext): boolean {
  const own = new Set<string>(['kind', ...needed[kind], ...allowed[kind]])
  const odd = map.entries.find((entry) => !own.has(entry.key))
  if (odd) {
    context.report({
      code: 'option_not_applicable',
      message: msg('option_of_other_kind', { key: odd.key, kind }),
      hint: msg('remove_or_change_kind'),
      path: joinPath(path, odd.key),
      at: odd.keySpan,
    })
    return false
  }
  const half = entryOf(map, 'size') ? 'size_param' : 'size'
  const both = entryOf(map, 'size') !== undefined || entryOf(map, 'size_param') !== undefined
  const missing = [...needed[kind], ...(both ? ([half] as const) : [])].find((key) => !entryOf(map, key))
  if (missing === undefined) return true
  context.report({
    code: 'missing_field',
    message:
      missing === half
        ? half === 'size'
          ? msg('kind_requires_with_size_param', { key: missing, kind })
          : msg('kind_requires_with_size', { key: missing, kind })
        : msg('kind_requires', { key: missing, kind }),
    hint: msg('add_option_such_as', { key: missing, example: examples[missing] }),
    path,
    at: map.mark,
  })
  return false
}
