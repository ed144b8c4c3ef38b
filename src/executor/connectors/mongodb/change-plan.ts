/** Changes of documents: each as one operation, with the documents that it touches. */
import type { AnyBulkWriteOperation, Document } from 'mongodb'
import type { ChangeStatement, PlannedChanges, RowEdit } from '../../../contract/changes.ts'
import type { ExplorerFilter, ExplorerValue } from '../../../contract/explorer-presets.ts'
import { runMessage } from '../../../contract/run-messages.ts'
import { checkCollectionName, findRefused, refusalOf } from '../../../language/task/mongo-documents.ts'
import type { Json } from '../../../language/task/task.types.ts'
import { EngineError } from '../../engine/errors.ts'
import { itemsOf } from '../../../language/query/conditions.ts'
import { isTextOperator } from '../../../language/query/query.types.ts'
import { textTest } from '../../../language/query/mongo-query.ts'
import { emptyList, unknownOperator } from '../changes/filters.ts'
import { type Fill, filled, filling } from '../changes/placeholders.ts'
import type { Conflict } from '../changes/report.ts'
import type { Mongo } from './client.ts'
import { fromExtendedJson } from './documents.ts'

export interface MongoStep {
  shown: ChangeStatement
  collection: string
  operation: AnyBulkWriteOperation<Document>
  /** Whether it must touch as many documents as were counted; else nothing but a transaction keeps others from changing that. */
  isExact: boolean
}
interface MongoPlan {
  steps: MongoStep[]
  conflicts: Conflict[]
}

const wrapped = { promoteValues: false, promoteLongs: false, promoteBuffers: false, bsonRegExp: true } as const

export function planMongo(mongo: Mongo, changes: PlannedChanges): Promise<MongoPlan> {
  if (changes.kind === 'raw') return planRaw(mongo, changes.query, filling(changes.parameters))
  checkName(changes.resource)
  if (changes.kind === 'edits') return planEdits(mongo, changes.resource, changes.edits)
  return planBuilder(mongo, changes, filling(changes.parameters))
}

function checkName(name: unknown): asserts name is string {
  if (typeof name !== 'string' || name === '') throw invalid(runMessage('collection_not_named'))
  const problem = checkCollectionName(name)
  if (problem) throw invalid(problem.message)
}

function invalid(message: EngineError['reason']): EngineError {
  return new EngineError('QUERY_INVALID', message, { hint: runMessage('change_of_documents_fix') })
}

async function planEdits(mongo: Mongo, collection: string, edits: readonly RowEdit[]): Promise<MongoPlan> {
  const plan: MongoPlan = { steps: [], conflicts: [] }
  const seen = new Set<string>()
  for (const [index, edit] of edits.entries()) {
    if (edit.kind === 'insert') {
      const document = documentIn(mongo, edit.values)
      plan.steps.push(
        stepOf(mongo, { collection, operation: { insertOne: { document } }, rows: 1, edit: index, isExact: true }),
      )
      continue
    }
    const original = documentIn(mongo, edit.original)
    if (original['_id'] === undefined) throw invalid(runMessage('change_key_missing', { column: '_id' }))
    const id = textOf(mongo, original['_id'])
    if (seen.has(id)) throw invalid(runMessage('change_twice', { edit: index }))
    seen.add(id)
    const conflict = await compare(mongo, collection, original, index)
    if (conflict) {
      plan.conflicts.push(conflict)
      continue
    }
    const filter = filterOf(original)
    const operation: AnyBulkWriteOperation<Document> =
      edit.kind === 'delete'
        ? { deleteOne: { filter } }
        : { replaceOne: { filter, replacement: replacementOf(mongo, original, documentIn(mongo, edit.values)) } }
    plan.steps.push(stepOf(mongo, { collection, operation, rows: 1, edit: index, isExact: true }))
  }
  return plan
}

/** Canonical Extended JSON: every value says its type, and keeps it. */
function documentIn({ driver }: Mongo, { document }: Record<string, unknown>): Document {
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw invalid(runMessage('change_document_missing'))
  try {
    return driver.BSON.EJSON.deserialize(document, { relaxed: false }) as Document // of a document
  } catch (error) {
    throw new EngineError(
      'VALUE_INVALID',
      runMessage('change_document_invalid', { cause: error instanceof Error ? error.message : String(error) }),
      { hint: runMessage('extended_json_invalid_fix_2'), cause: error },
    )
  }
}

const textOf = ({ driver }: Mongo, value: unknown): string => driver.BSON.EJSON.stringify(value, { relaxed: false })

async function compare(mongo: Mongo, name: string, original: Document, edit: number): Promise<Conflict | null> {
  const now = await mongo.db
    .collection<Document>(name)
    .findOne({ _id: { $eq: original['_id'] } } as Document, { ...wrapped, ...mongo.within })
  if (!now) return { edit, problem: 'gone', fields: [] }
  if (textOf(mongo, now) === textOf(mongo, original)) return null
  const fields = [...new Set([...Object.keys(original), ...Object.keys(now)])].filter(
    (field) => textOf(mongo, { v: now[field] }) !== textOf(mongo, { v: original[field] }),
  )
  return { edit, problem: 'changed', fields }
}

/** Finds the document only as it was read, as far as a filter can say that. */
function filterOf(original: Document): Document {
  const fields = Object.entries(original).filter(([field]) => field !== '_id' && !/^\$|\./.test(field) && field !== '')
  return { $and: [{ _id: { $eq: original['_id'] } }, ...fields.map(([field, value]) => ({ [field]: { $eq: value } }))] }
}

function replacementOf(mongo: Mongo, original: Document, document: Document): Document {
  const { _id: given, ...rest } = document
  if (given !== undefined && textOf(mongo, given) !== textOf(mongo, original['_id']))
    throw invalid(runMessage('change_of_id'))
  return rest
}

interface StepParts extends Omit<MongoStep, 'shown'> {
  rows: number
  edit: number | null
}

/** Shown as what is sent, in canonical Extended JSON: there is nothing beside it that is bound. */
function stepOf({ driver }: Mongo, { rows, edit, ...step }: StepParts): MongoStep {
  const { collection, operation } = step
  const statement = driver.BSON.EJSON.stringify({ collection, ...operation }, { relaxed: false })
  return { ...step, shown: { statement, values: [], rows, changed: null, edit } }
}

const operators: Readonly<Record<string, string>> = {
  '=': '$eq',
  '<': '$lt',
  '<=': '$lte',
  '>': '$gt',
  '>=': '$gte',
}

type Builder = Extract<PlannedChanges, { kind: 'builder' }>

async function planBuilder(mongo: Mongo, { resource, action, definition }: Builder, fill: Fill): Promise<MongoPlan> {
  const values = Object.fromEntries(
    (definition.values ?? []).map((one): [string, unknown] => [plainKey(one.field), valueOf(mongo, one, fill)]),
  )
  const base = { collection: resource, edit: null }
  if (action === 'insert') {
    const step = stepOf(mongo, { ...base, operation: { insertOne: { document: values } }, rows: 1, isExact: true })
    return { steps: [step], conflicts: [] }
  }
  if (action === 'update' && Object.keys(values).length === 0)
    throw invalid(runMessage('change_of_nothing', { edit: 0 }))
  const parts = (definition.filters ?? []).map((filter) => conditionOf(mongo, filter, fill))
  const filter: Document = parts.length === 0 ? {} : { $and: parts }
  const rows = await mongo.db.collection(resource).countDocuments(filter, mongo.within)
  const operation: AnyBulkWriteOperation<Document> =
    action === 'delete' ? { deleteMany: { filter } } : { updateMany: { filter, update: { $set: values } } }
  return { steps: [stepOf(mongo, { ...base, operation, rows, isExact: mongo.transactions })], conflicts: [] }
}

/** A field is no operator. */
function plainKey(field: string): string {
  if (field === '' || field.startsWith('$')) throw invalid(runMessage('change_field_name', { field }))
  return field
}

function conditionOf(mongo: Mongo, filter: ExplorerFilter, fill: Fill): Document {
  const field = plainKey(filter.field)
  const operator = filter.operator.trim().toLowerCase()
  if (operator === 'is null') return { [field]: { $eq: null } }
  if (operator === 'is not null') return { [field]: { $ne: null } }
  // As in queries: missing fields and NULL match `is null` alone.
  if (operator === '!=') {
    const value = valueOf(mongo, filter, fill)
    return { [field]: value === null ? { $ne: null } : { $nin: [value, null] } }
  }
  if (operator === 'in' || operator === 'not in') {
    const items = itemsOf(filter.value).map((value) => valueOf(mongo, { ...filter, value }, fill))
    if (items.length === 0) throw emptyList(field)
    return { [field]: operator === 'in' ? { $in: items } : { $nin: [...items, null] } }
  }
  if (isTextOperator(operator)) return { [field]: textTest(operator, fill(filter.value)) }
  const known = Object.hasOwn(operators, operator) ? operators[operator] : undefined
  if (known === undefined) throw unknownOperator(filter.operator)
  return { [field]: { [known]: valueOf(mongo, filter, fill) } }
}

function valueOf(
  { driver }: Mongo,
  { value, valueType = 'auto' }: Pick<ExplorerValue, 'value' | 'valueType'>,
  fill: Fill,
) {
  const text = fill(value)
  const wrong = (): EngineError =>
    new EngineError('VALUE_INVALID', runMessage('change_value_form', { column: '', type: valueType, value: text }), {
      hint: runMessage('extended_json_invalid_fix_2'),
    })
  const isNumber = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text)
  if (valueType === 'null') return null
  if (valueType === 'objectId') {
    if (!/^[0-9a-f]{24}$/i.test(text)) throw wrong()
    return new driver.ObjectId(text)
  }
  if (valueType === 'date') {
    const moment = new Date(text)
    if (Number.isNaN(moment.getTime())) throw wrong()
    return moment
  }
  if (valueType === 'number' || (valueType === 'auto' && isNumber)) {
    if (!isNumber) throw wrong()
    return numberOf(driver, text)
  }
  if (valueType === 'boolean' || (valueType === 'auto' && /^(true|false)$/.test(text))) {
    if (!/^(true|false)$/i.test(text)) throw wrong()
    return text.toLowerCase() === 'true'
  }
  return text
}

/** Exactly what was typed: whole numbers as such, of 64 bits where they need it; others as Decimal128 where floating point would round. */
function numberOf({ BSON }: Mongo['driver'], text: string): unknown {
  if (/^-?\d+$/.test(text)) {
    const whole = BigInt(text)
    if (whole === BigInt.asIntN(32, whole)) return new BSON.Int32(Number(text))
    if (whole === BigInt.asIntN(64, whole)) return BSON.Long.fromString(text)
    return BSON.Decimal128.fromString(text)
  }
  return String(Number(text)) === text ? new BSON.Double(Number(text)) : BSON.Decimal128.fromString(text)
}

/** MongoDB’s own commands: `insert` with `documents`, `update` with `updates`, `delete` with `deletes`. */
async function planRaw(mongo: Mongo, text: string, fill: Fill): Promise<MongoPlan> {
  const asked = filled(parse(text), fill) as Record<string, Json> // an object stays one
  const [command = '', list = ''] =
    [
      ['insert', 'documents'],
      ['update', 'updates'],
      ['delete', 'deletes'],
    ].find(([kind = '']) => kind in asked) ?? []
  const strange = Object.keys(asked).find((key) => key !== command && key !== list)
  if (command === '' || strange !== undefined) throw invalid(runMessage('change_of_documents'))
  const refused = findRefused(asked)
  const refusal = refused === null ? null : refusalOf(refused)
  if (refusal)
    throw new EngineError('SQL_NOT_ALLOWED', refusal.message, { hint: runMessage('change_of_documents_fix') })
  const name = asked[command]
  checkName(name)
  const items = fromExtendedJson(asked[list] ?? null, mongo.driver, list)
  if (!Array.isArray(items) || items.length === 0) throw invalid(runMessage('change_of_documents'))
  const steps: MongoStep[] = []
  for (const item of items as Document[]) steps.push(await rawStep(mongo, name, command, item))
  return { steps, conflicts: [] }
}

async function rawStep(mongo: Mongo, collection: string, command: string, item: Document): Promise<MongoStep> {
  const base = { collection, edit: null }
  if (typeof item !== 'object' || item === null) throw invalid(runMessage('change_of_documents'))
  if (command === 'insert')
    return stepOf(mongo, { ...base, operation: { insertOne: { document: item } }, rows: 1, isExact: true })
  const known = command === 'update' ? ['q', 'u', 'multi'] : ['q', 'limit']
  if (Object.keys(item).some((key) => !known.includes(key)) || typeof item['q'] !== 'object' || item['q'] === null)
    throw invalid(runMessage('change_of_documents'))
  const filter = item['q'] as Document // just seen to be an object
  const one = command === 'update' ? item['multi'] !== true : Number(item['limit'] ?? 0) === 1
  const counted = await mongo.db
    .collection(collection)
    .countDocuments(filter, { ...mongo.within, ...(one && { limit: 1 }) })
  const operation = command === 'delete' ? deletion(filter, one) : replacement(filter, item['u'], one)
  return stepOf(mongo, { ...base, operation, rows: counted, isExact: mongo.transactions })
}

function deletion(filter: Document, one: boolean): AnyBulkWriteOperation<Document> {
  return one ? { deleteOne: { filter } } : { deleteMany: { filter } }
}

function replacement(filter: Document, update: unknown, one: boolean): AnyBulkWriteOperation<Document> {
  if (typeof update !== 'object' || update === null) throw invalid(runMessage('change_of_documents'))
  const given = update as Document // just seen to be an object
  const isOperators = Array.isArray(update) || Object.keys(update).every((key) => key.startsWith('$'))
  if (isOperators && Object.keys(update).length > 0)
    return one ? { updateOne: { filter, update: given } } : { updateMany: { filter, update: given } }
  if (!one) throw invalid(runMessage('change_replaces_one'))
  return { replaceOne: { filter, replacement: given } }
}

function parse(text: string): Json {
  try {
    const value = JSON.parse(text) as Json // what JSON.parse gives
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch (error) {
    throw invalid(runMessage('query_not_json', { error: error instanceof Error ? error.message : String(error) }))
  }
  throw invalid(runMessage('query_not_object'))
}
