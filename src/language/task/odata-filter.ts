import { suggest } from '../nearest.ts'
import { locateInScalar } from '../shape/locate.ts'
import { reportType } from '../shape/report-value.ts'
import type { Shape } from '../shape/shape.types.ts'
import type { Message } from '../message.ts'
import { msg } from '../messages.ts'

/** `$filter` of OData with `:name` binds: its only quotes are single ones, doubled inside, and its colons belong to lambdas. */

export interface FilterBind {
  name: string
  /** Offsets of `:name`. */
  start: number
  end: number
}

const token = /'(?:[^']|'')*(?:'|$)|(?<![\p{L}\p{N}_$)\]'"`:]):([A-Za-z_][A-Za-z0-9_]*)/gu

/** Every `:name` outside of text, in order. Linear in the filter. */
export function findFilterBinds(filter: string): FilterBind[] {
  return [...filter.matchAll(token)].flatMap((match) =>
    match[1] === undefined ? [] : [{ name: match[1], start: match.index, end: match.index + match[0].length }],
  )
}

const MAX_FILTER = 20_000

export const odataFilter: Shape<string> = {
  schema: {
    type: 'string',
    description:
      'Entities to read: an OData filter (`$filter`). `:name` is an argument or one of `params`, sent as a literal of the type of the property it is compared with.',
    examples: ['updated_at ge :since and status ne :status'],
    minLength: 1,
    maxLength: MAX_FILTER,
  },
  read(node, path, context) {
    if (node.kind !== 'scalar' || typeof node.value !== 'string')
      return reportType(node, path, context, msg('text_filter'))
    const { value } = node
    const fail = (
      code: 'wrong_length' | 'expression_in_sql' | 'sql_unclosed' | 'unknown_bind',
      message: Message,
      hint: Message,
      start: number,
      end: number,
    ): undefined => {
      context.report({ code, message, hint, path, at: locateInScalar(context.text, node, start, end) })
    }
    if (value.trim() === '' || value.length > MAX_FILTER) {
      const empty = value.length <= MAX_FILTER
      return fail(
        'wrong_length',
        empty ? msg('filter_empty') : msg('filter_too_long', { limit: MAX_FILTER }),
        empty ? msg('write_or_remove_key') : msg('shorten'),
        0,
        0,
      )
    }
    const expression = value.indexOf('${{')
    if (expression !== -1) {
      return fail('expression_in_sql', msg('expression_in_filter'), msg('bind_in_filter'), expression, expression + 3)
    }
    const open = [...value.matchAll(token)].find(
      (match) => match[0].startsWith("'") && !/^'(?:[^']|'')*'$/.test(match[0]),
    )
    if (open) {
      return fail('sql_unclosed', msg('filter_text_open'), msg('add_closing_quote'), open.index, open.index + 1)
    }
    for (const bind of findFilterBinds(value)) {
      if (context.params.has(bind.name)) continue
      if (context.binds.includes(bind.name)) {
        context.used.arguments.add(bind.name)
        continue
      }
      const hint: Message =
        context.binds.length === 0
          ? msg('add_under_args', { name: bind.name })
          : suggest(
              `:${bind.name}`,
              context.binds.map((name) => `:${name}`),
              'names',
            )
      return fail('unknown_bind', msg('unknown_bind', { name: bind.name }), hint, bind.start, bind.end)
    }
    return value.trim()
  },
}
