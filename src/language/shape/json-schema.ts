import type { Json } from '../task/task.types.ts'

/** The part of JSON Schema 2020-12 that the languages' schemas use, with annotations for completion. */
export interface JsonSchema {
  $schema?: string
  $id?: string
  title?: string
  description?: string
  type?: 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'null'
  const?: Json
  enum?: Json[]
  default?: Json
  examples?: Json[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  propertyNames?: JsonSchema
  items?: JsonSchema
  anyOf?: JsonSchema[]
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  minProperties?: number
  maxProperties?: number
  /** What each value of `enum` means, in its order. */
  'x-enum-descriptions'?: string[]
  /** What editors offer here besides `enum`. */
  'x-complete'?:
    | 'slot'
    | 'column'
    | 'argument'
    | 'input'
    // Of job templates
    | 'connector'
    | 'task'
    | 'task-key'
    | 'task-slot'
    | 'task-argument'
    | 'pool'
    | 'channel'
    // Of dashboard templates
    | 'job-template'
    | 'job-connector'
    | 'job-task'
    | 'job-parameter'
    | 'filter'
    | 'data'
    | 'form'
    | 'option'
    | 'field_mapping'
  /** Slots offered with `x-complete: slot` are of these types. */
  'x-slot-types'?: string[]
  /** The value is in another language. `sql-expression` is scalar SQL. */
  'x-language'?: 'sql' | 'sql-expression'
  /** `${{ … }}` may stand here. */
  'x-template'?: boolean
}
