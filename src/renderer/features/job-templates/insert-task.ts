import type { ArgumentSpec, ConnectorSlot, Json } from '../../../language/task/task.types.ts'
import { type Addition, addEntry, lineOfKey, plainOrQuoted } from './text-insert.ts'

/** What the palette knows of a task that is added. */
export interface PaletteTask {
  name: string
  connectors: Readonly<Record<string, ConnectorSlot>>
  arguments: Readonly<Record<string, ArgumentSpec>>
}
/** What the template has already. */
export interface TemplateParts {
  /** One whose access is not written allows everything. */
  connectors: Readonly<Record<string, ConnectorSlot>>
  parameters: Readonly<Record<string, ArgumentSpec>>
  keys: readonly string[]
}
export interface Inserted {
  text: string
  key: string
  /** Where the new task stands, from 1. */
  line: number
}

/** A key made of a name: its last part, in the letters that keys have, and not taken yet. */
export function freeKey(name: string, taken: readonly string[]): string {
  const last = name.split('.').at(-1) ?? name
  const letters = last.replace(/[^A-Za-z0-9_]+/g, '_').replace(/^_+|_+$/g, '')
  const base = (/^[A-Za-z_]/.test(letters) ? letters : `task_${letters}`).replace(/_$/, '').slice(0, 56)
  let key = base
  for (let count = 2; taken.includes(key); count += 1) key = `${base}_${count}`
  return key
}

const covers = (has: ConnectorSlot, wants: ConnectorSlot) =>
  has.types.every((type) => wants.types.includes(type)) && (has.access === 'read_write' || has.access === wants.access)

/** Without `access`: then it is what the tasks need. */
const slotFlow = ({ types }: ConnectorSlot) =>
  types.length === 1 ? `{type: ${types[0] ?? ''}}` : `{types: [${types.join(', ')}]}`

/** A connector of the template for a slot: the namesake, else the only one that fits, else a new one. */
function connectorFor(slot: string, wants: ConnectorSlot, has: Record<string, ConnectorSlot>) {
  const namesake = Object.hasOwn(has, slot) ? has[slot] : undefined
  if (namesake && covers(namesake, wants)) return { name: slot, isNew: false }
  const fitting = Object.entries(has).filter(([, one]) => covers(one, wants))
  const [only] = fitting
  if (only && fitting.length === 1) return { name: only[0], isNew: false }
  return { name: freeKey(slot, Object.keys(has)), isNew: true }
}

const examples: Record<ArgumentSpec['type'], Json> = {
  string: '',
  integer: 0,
  number: 0,
  boolean: false,
  date: '2026-01-01',
  datetime: '2026-01-01T00:00:00Z',
  duration: '1m',
  json: {},
  list: [],
}

/** A required argument comes from the parameter of its name, or holds a value to be written over. */
const argumentText = (name: string, spec: ArgumentSpec, parameters: TemplateParts['parameters']) =>
  Object.hasOwn(parameters, name)
    ? `"\${{ parameters.${name} }}"`
    : JSON.stringify(spec.enum?.[0] ?? spec.min ?? examples[spec.type])

function nodeOf(key: string, task: PaletteTask, bound: Record<string, string>, parts: TemplateParts, after: string[]) {
  const slots = Object.entries(bound).map(([slot, name]) => `${slot}: ${name}`)
  const args = Object.entries(task.arguments)
    .filter(([, spec]) => spec.required)
    .map(([name, spec]) => `${name}: ${argumentText(name, spec, parts.parameters)}`)
  const fields = [
    `task: ${plainOrQuoted(task.name)}`,
    ...(after.length > 0 ? [`depends_on: [${after.join(', ')}]`] : []),
    ...(slots.length > 0 ? [`connectors: {${slots.join(', ')}}`] : []),
    ...(args.length > 0 ? [`args: {${args.join(', ')}}`] : []),
  ]
  const addition: Addition = {
    key,
    flow: `${key}: {${fields.join(', ')}}`,
    block: [`${key}:`, ...fields.map((field) => `  ${field}`)],
  }
  return addition
}

/** Adds a task at the end of `tasks`, its slots bound and its required arguments prefilled; connectors that the template lacks are added. */
export function insertTask(text: string, task: PaletteTask, parts: TemplateParts, after: string[] = []): Inserted {
  const key = freeKey(task.name, parts.keys)
  const has: Record<string, ConnectorSlot> = { ...parts.connectors }
  const bound: Record<string, string> = {}
  let next = text
  for (const [slot, wants] of Object.entries(task.connectors)) {
    const { name, isNew } = connectorFor(slot, wants, has)
    bound[slot] = name
    if (!isNew) continue
    has[name] = { ...wants, access: 'read_write' }
    const flow = `${name}: ${slotFlow(wants)}`
    next = addEntry(next, 'connectors', { key: name, flow, block: [flow] }, 'tasks')
  }
  next = addEntry(next, 'tasks', nodeOf(key, task, bound, parts, after))
  return { text: next, key, line: lineOfKey(next, 'tasks', key) ?? next.split('\n').length }
}

/** A new template that does this one task. */
export const templateOf = (task: PaletteTask): string =>
  insertTask(`etl: 1\nkind: job\nname: ${JSON.stringify(task.name)}\n`, task, {
    connectors: {},
    parameters: {},
    keys: [],
  }).text

/** Adds a gate, which waits for a person. */
export function insertGate(text: string, keys: readonly string[], message: string, after: string[] = []): Inserted {
  const key = freeKey('gate', keys)
  const fields = [
    `gate: ${JSON.stringify(message)}`,
    ...(after.length > 0 ? [`depends_on: [${after.join(', ')}]`] : []),
  ]
  const addition = {
    key,
    flow: `${key}: {${fields.join(', ')}}`,
    block: [`${key}:`, ...fields.map((field) => `  ${field}`)],
  }
  const next = addEntry(text, 'tasks', addition)
  return { text: next, key, line: lineOfKey(next, 'tasks', key) ?? 1 }
}
