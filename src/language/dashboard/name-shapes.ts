import { suggest, type Noun } from '../nearest.ts'
import type { DiagnosticCode } from '../diagnostic-codes.ts'
import { text } from '../shape/scalars.ts'
import type { JsonSchema } from '../shape/json-schema.ts'
import type { ReadContext, Shape } from '../shape/shape.types.ts'
import { NAME, NAME_WANTED, sqlDatabases } from '../task/connector-slots.ts'
import type { YamlNode } from '../yaml/yaml-tree.ts'
import { msg } from '../messages.ts'
import type { Message } from '../message.ts'
import type { DashboardSurroundings } from './dashboard-surroundings.ts'

/** An author's own name: of a widget, of a field. */
export const ownName = (description: string, examples: string[]): Shape<string> =>
  text({
    description,
    examples,
    maxLength: 63,
    check: (value) =>
      NAME.test(value)
        ? null
        : {
            code: 'invalid_value',
            message: msg('not_a_name', { key: value, wanted: NAME_WANTED }),
            hint: msg('choose_other_name'),
          },
  })

interface Reference {
  description: string
  complete: NonNullable<JsonSchema['x-complete']>
  code: DiagnosticCode
  noun: Noun
  /** null: not known here. */
  names(dashboard: DashboardSurroundings): Iterable<string> | null
  unknown(name: string): Message
  note?(name: string, dashboard: DashboardSurroundings): void
}

/** A name of something else in the document, or of its job template. */
const reference = ({ description, complete, code, noun, names, unknown, note }: Reference): Shape<string> => {
  const shape = text({ description, maxLength: 200 })
  return {
    schema: { ...shape.schema, 'x-complete': complete },
    read(node, path, context) {
      const name = shape.read(node, path, context)
      const { dashboard } = context
      const known = dashboard && names(dashboard)
      if (name === undefined || !dashboard || !known) return name
      const all = [...known]
      if (all.includes(name)) {
        note?.(name, dashboard)
        return name
      }
      context.report({ code, message: unknown(name.slice(0, 60)), hint: suggest(name, all, noun), path, at: node.mark })
      return undefined
    },
  }
}

export const filterName = reference({
  description: 'Name of one of `filters`.',
  complete: 'filter',
  code: 'unknown_filter',
  noun: 'filters',
  names: ({ filters }) => filters,
  unknown: (name) => msg('unknown_filter', { name }),
})

export const dataName = reference({
  description: 'Name of one of `data`.',
  complete: 'data',
  code: 'unknown_data',
  noun: 'data_sources',
  names: ({ data }) => data,
  unknown: (name) => msg('unknown_data', { name }),
  note: (name, { used }) => used.data.add(name),
})

const widgetOf = (type: 'form' | 'field_mapping', description: string): Shape<string> =>
  reference({
    description,
    complete: type,
    code: 'unknown_widget',
    noun: 'widgets',
    names: ({ widgets }) => widgets.get(type) ?? [],
    unknown: (name) => msg(type === 'form' ? 'unknown_form' : 'unknown_mapping', { name }),
  })
export const formId = widgetOf('form', 'Id of a `form`.')
export const mappingId = widgetOf('field_mapping', 'Id of a `field_mapping`.')

export const jobTaskKey = reference({
  description: 'Key of a task of the job template.',
  complete: 'job-task',
  code: 'unknown_task_key',
  noun: 'keys',
  names: ({ template }) => template?.tasks ?? null,
  unknown: (key) => msg('no_task_in_template', { key }),
})

export const jobParameter = reference({
  description: 'Name of a parameter of the job template.',
  complete: 'job-parameter',
  code: 'unknown_job_parameter',
  noun: 'parameters',
  names: ({ template }) => template && Object.keys(template.parameters),
  unknown: (name) => msg('no_parameter_in_template', { name }),
})

const anyConnector = reference({
  description: 'Name of a connector of the job template.',
  complete: 'job-connector',
  code: 'unknown_connector',
  noun: 'connectors',
  names: ({ template }) => template && Object.keys(template.connectors),
  unknown: (name) => msg('unknown_connector', { name }),
})

const ofTypes = (types: readonly string[], wanted: Message): Shape<string> => ({
  schema: { ...anyConnector.schema, 'x-slot-types': [...types] },
  read(node: YamlNode, path: string, context: ReadContext) {
    const name = anyConnector.read(node, path, context)
    if (name === undefined) return undefined
    const { template } = context.dashboard ?? {}
    const connector = template && Object.hasOwn(template.connectors, name) ? template.connectors[name] : undefined
    const unfit = connector?.types.filter((type) => !types.includes(type)) ?? []
    if (unfit.length === 0) return name
    context.report({
      code: 'slot_type',
      message: msg('template_connector_of_other_type', { name, unfit, wanted }),
      hint: msg('use_connector_of', { types: [...types] }),
      path,
      at: node.mark,
    })
    return undefined
  },
})
/** Queries are SQL. */
export const databaseConnector = ofTypes(sqlDatabases, msg('a_sql_database'))
export const fileConnector = ofTypes(['file', 's3', 'sftp'], msg('a_place_of_files'))
