import { listOf, object, optional, reportDuplicate, required, withDefault } from '../../shape/collections.ts'
import { reportType } from '../../shape/report-value.ts'
import { choice, number, text } from '../../shape/scalars.ts'
import type { ReadContext, Shape } from '../../shape/shape.types.ts'
import { entryOf, joinPath, type YamlMap, type YamlNode } from '../../yaml/yaml-tree.ts'
import { expectColumn } from '../column-flow.ts'
import { columnName } from '../column-types.ts'
import { defineStep } from '../definitions.ts'
import { collectBinds, paramsShape, sqlText, withParams } from '../sql-text.ts'
import type { Expectation, ExpectationRule, ExpectStep } from './step.types.ts'
import { msg } from '../../messages.ts'

const columnList = listOf(columnName, { description: 'Columns.', min: 1, unique: 'columns' })

/** One column, or a list of them. */
function columns(description: string): Shape<string[]> {
  return {
    schema: {
      description,
      anyOf: [{ ...columnName.schema, 'x-complete': 'column' }, columnList.schema],
      examples: ['id', ['region', 'day']],
    },
    read(node, path, context) {
      if (node.kind === 'list') return columnList.read(node, path, context)
      if (node.kind === 'map') return reportType(node, path, context, msg('a_list_of_columns'))
      const name = columnName.read(node, path, context)
      return name === undefined ? undefined : [name]
    },
  }
}

const count = (description: string): Shape<number> => number({ description, integer: true, min: 0 })
const rowsMap = object(
  { min: optional(count('At least this many rows.')), max: optional(count('At most this many rows.')) },
  { noun: msg('named', { name: 'rows' }), description: 'How many rows must reach this step.' },
)
const rows: Shape<{ min: number | null; max: number | null }> = {
  schema: {
    description: 'How many rows must reach this step: a number, or `min` and `max`.',
    anyOf: [count('Exactly this many.').schema, rowsMap.schema],
    examples: [{ min: 1 }],
  },
  read(node, path, context) {
    if (node.kind === 'scalar') {
      const exact = count('').read(node, path, context)
      return exact === undefined ? undefined : { min: exact, max: exact }
    }
    const bounds = rowsMap.read(node, path, context)
    if (!bounds) return undefined
    if (bounds.min === undefined && bounds.max === undefined) {
      context.report({
        code: 'missing_choice',
        message: msg('rows_without_bounds'),
        hint: msg('add_min'),
        path,
        at: node.mark,
      })
      return undefined
    }
    if (bounds.min !== undefined && bounds.max !== undefined && bounds.min > bounds.max) {
      context.report({
        code: 'range_reversed',
        message: msg('range_reversed', { min: bounds.min, max: bounds.max }),
        hint: msg('swap'),
        path,
        at: node.mark,
      })
      return undefined
    }
    return { min: bounds.min ?? null, max: bounds.max ?? null }
  },
}

const fields = object(
  {
    name: required(
      text({
        description: 'Name of the rule, shown in the log and with rejected rows.',
        examples: ['email'],
        maxLength: 100,
      }),
    ),
    check: optional(
      sqlText({
        description:
          'Scalar SQL (DuckDB) that must be true for every row; false and NULL break the rule. `:name` binds an argument.',
        examples: ["email LIKE '%@%'"],
        form: 'expression',
        ofPipeline: true,
      }),
    ),
    params: optional(paramsShape),
    not_null: optional(columns('Columns that must have a value in every row.')),
    unique: optional(
      columns('Columns whose values together occur only once. Rows with NULL in one of them are not compared.'),
    ),
    rows: optional(rows),
    on_fail: withDefault(
      choice('What happens if the rule is broken.', {
        fail: 'The run fails; nothing is written.',
        warn: 'A warning is logged, and the run ends as `completed` instead of `success`.',
        quarantine: 'The rows that break the rule go to the run’s rejects; the run ends as `completed`.',
      }),
      'fail',
    ),
  },
  {
    noun: msg('an_expectation'),
    description: 'A rule for the rows: one of `check`, `not_null`, `unique`, and `rows`.',
  },
)

const rules = ['check', 'not_null', 'unique', 'rows'] as const

function readExpectation(node: YamlNode, path: string, outer: ReadContext): Expectation | undefined {
  const context = withParams(node, outer)
  const values = fields.read(node, path, context)
  if (!values || node.kind !== 'map' || !checkOneRule(node, path, context)) return undefined
  const rule = ruleOf(values, node, path, context)
  if (rule.kind === 'rows' && values.on_fail === 'quarantine') {
    context.report({
      code: 'option_not_applicable',
      message: msg('rows_not_quarantined'),
      hint: msg('use_fail_or_warn'),
      path: `${path}.on_fail`,
      at: entryOf(node, 'on_fail')?.value.mark ?? node.mark,
    })
    return undefined
  }
  return { name: values.name, rule, on_fail: values.on_fail }
}

type Written = NonNullable<ReturnType<typeof fields.read>>

function ruleOf(values: Written, node: YamlMap, path: string, context: ReadContext): ExpectationRule {
  if (values.not_null) return { kind: 'not_null', columns: values.not_null }
  if (values.unique) return { kind: 'unique', columns: values.unique }
  if (values.rows) return { kind: 'rows', ...values.rows }
  const check = values.check ?? '' // exactly one of the four is there
  return { kind: 'check', check, params: collectBinds([check], values.params, node, path, context) }
}

function checkOneRule(node: YamlMap, path: string, context: ReadContext): boolean {
  const written = rules.filter((rule) => entryOf(node, rule))
  const stray = entryOf(node, 'params')
  const odd = written.length > 1 ? entryOf(node, written[1] ?? '') : written[0] === 'check' ? undefined : stray
  if (written.length > 0 && !odd) return true
  if (written.length === 0) {
    context.report({
      code: 'missing_choice',
      message: msg('expectation_without_rule', { rules }),
      hint: msg('add_check'),
      path,
      at: node.mark,
    })
    return false
  }
  context.report({
    code: 'several_choices',
    message:
      odd === stray && stray
        ? msg('params_without_check')
        : msg('expectation_with_two_rules', { first: written[0] ?? '', second: written[1] ?? '' }),
    hint: odd === stray && stray ? msg('remove_it') : msg('make_two_expectations'),
    path: joinPath(path, odd?.key ?? ''),
    at: odd?.keySpan ?? node.mark,
  })
  return false
}

const expectations = listOf<Expectation>(
  { schema: fields.schema, read: readExpectation },
  {
    description: 'Rules that the rows must meet at this point.',
    examples: [[{ name: 'email', check: "email LIKE '%@%'", on_fail: 'quarantine' }]],
    min: 1,
    max: 200,
  },
)

export const expectStep = defineStep<ExpectStep>({
  kind: 'expect',
  shape: {
    schema: expectations.schema,
    read(node, path, context) {
      const read = expectations.read(node, path, context)
      if (!read || node.kind !== 'list') return undefined
      const again = read.findIndex((one, index) => read.findIndex((other) => other.name === one.name) !== index)
      if (again === -1) return { kind: 'expect', expectations: read }
      const item = node.items[again]
      const name = item?.kind === 'map' ? entryOf(item, 'name')?.value : undefined
      reportDuplicate(context, read[again]?.name ?? '', path, `${joinPath(path, again)}.name`, name ?? node)
      return undefined
    },
  },
  flow(step, known, report) {
    for (const [index, { rule }] of step.expectations.entries()) {
      if (rule.kind !== 'not_null' && rule.kind !== 'unique') continue
      for (const [position, column] of rule.columns.entries()) {
        const place = ['expect', index, rule.kind]
        expectColumn(column, known, [[...place, position], place], report)
      }
    }
    return known
  },
  resolve: (step, resolver, path) => ({
    ...step,
    expectations: step.expectations.map((one, index) =>
      one.rule.kind === 'check'
        ? { ...one, rule: { ...one.rule, params: resolver.binds(one.rule.params, `${path}.expect[${index}].params`) } }
        : one,
    ),
  }),
})
