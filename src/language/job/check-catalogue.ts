import { hasExpression } from '../expressions/template.ts'
import { checkArgumentValue } from '../task/argument-values.ts'
import { holdsExpression } from '../task/arguments.ts'
import { readJson } from '../shape/json-value.ts'
import type { ReadContext } from '../shape/shape.types.ts'
import type { Access, ConnectorSlot } from '../task/task.types.ts'
import { entryOf, joinPath, type YamlMap, type YamlNode } from '../yaml/yaml-tree.ts'
import type { CatalogueTask, CatalogueVersion, JobCatalogue } from './job.types.ts'
import type { JobSurroundings } from './job-surroundings.ts'
import { msg } from '../messages.ts'
import type { Message } from '../message.ts'

/** What each connector of the template is used for, as the slots of the tasks tell: name → access. */
export type NeededAccess = Map<string, Access>

interface Check {
  catalogue: JobCatalogue
  context: ReadContext
  suggest: JobSurroundings['suggest']
  needed: NeededAccess
  /** Connectors of the template whose `access` is written. */
  explicit: ReadonlySet<string>
}

/**
 * Holds a template against the tasks, pools and channels that there are. Works on the YAML, so that one mistake in a task does not
 * hide the others; what the shapes have found already is passed over.
 */
export function checkCatalogue(
  root: YamlMap,
  catalogue: JobCatalogue,
  context: ReadContext,
  suggest: JobSurroundings['suggest'],
): NeededAccess {
  const check: Check = { catalogue, context, suggest, needed: new Map(), explicit: explicitAccess(root) }
  const tasks = entryOf(root, 'tasks')?.value
  for (const { key, value } of tasks?.kind === 'map' ? tasks.entries : []) {
    if (value.kind === 'map') checkNode(value, joinPath('tasks', key), check)
  }
  const notify = entryOf(root, 'notify')?.value
  for (const [index, rule] of (notify?.kind === 'list' ? notify.items : []).entries()) {
    const channel = rule.kind === 'map' ? entryOf(rule, 'channel')?.value : undefined
    if (channel) checkKnown(channel, joinPath(joinPath('notify', index), 'channel'), 'channel', check)
  }
  return check.needed
}

/** Connectors of the template whose `access` is written. */
export function explicitAccess(root: YamlMap): Set<string> {
  const connectors = entryOf(root, 'connectors')?.value
  const entries = connectors?.kind === 'map' ? connectors.entries : []
  return new Set(entries.filter(({ value }) => value.kind === 'map' && entryOf(value, 'access')).map(({ key }) => key))
}

function checkNode(node: YamlMap, path: string, check: Check): void {
  const pool = entryOf(node, 'pool')?.value
  if (pool) checkKnown(pool, joinPath(path, 'pool'), 'pool', check)
  const named = entryOf(node, 'task')?.value
  const name = nameIn(named)
  if (!named || name === null) return
  const task = findTask(named, name, joinPath(path, 'task'), check)
  const version = task && findVersion(task, entryOf(node, 'version')?.value, joinPath(path, 'version'), check)
  if (!version) return
  checkSlots(node, named, version, path, check)
  checkArguments(node, named, version, path, check)
}

/** A name that can be looked up; what is empty or an expression has been reported as such. */
function nameIn(node: YamlNode | undefined): string | null {
  const name = node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : ''
  return name.trim() === '' || hasExpression(name) ? null : name
}

function checkKnown(
  node: YamlNode,
  path: string,
  noun: 'pool' | 'channel',
  { catalogue, context, suggest }: Check,
): void {
  const names = noun === 'pool' ? catalogue.pools : catalogue.channels
  const name = nameIn(node)
  if (name === null || names.includes(name)) return
  context.report({
    code: noun === 'pool' ? 'unknown_pool' : 'unknown_channel',
    message:
      noun === 'pool' ? msg('no_pool', { name: name.slice(0, 60) }) : msg('no_channel', { name: name.slice(0, 60) }),
    hint:
      names.length === 0
        ? noun === 'pool'
          ? msg('create_pool')
          : msg('create_channel')
        : suggest(name, names, noun === 'pool' ? 'pools' : 'channels'),
    path,
    at: node.mark,
  })
}

function findTask(node: YamlNode, name: string, path: string, check: Check): CatalogueTask | undefined {
  const { catalogue, context, suggest } = check
  const task = catalogue.task(name)
  if (task && !task.archived) return task
  context.report({
    code: task ? 'archived_task' : 'unknown_task',
    message: task ? msg('task_archived_here', { name }) : msg('no_task', { name: name.slice(0, 60) }),
    hint: task ? msg('restore_or_replace_task') : suggest(name, catalogue.taskNames(), 'tasks'),
    path,
    at: node.mark,
  })
  return task
}

function findVersion(
  task: CatalogueTask,
  node: YamlNode | undefined,
  path: string,
  { catalogue, context }: Check,
): CatalogueVersion | undefined {
  const written = node?.kind === 'scalar' ? node.value : null
  if (!node || typeof written !== 'number') return node ? undefined : catalogue.version(task, task.current_version)
  const found = Number.isSafeInteger(written) && written >= 1 ? catalogue.version(task, written) : undefined
  if (found || !Number.isSafeInteger(written) || written < 1) return found
  context.report({
    code: 'unknown_task_version',
    message: msg('unknown_task_version', { task: task.name, version: written }),
    hint: msg('current_version_is', { current_version: task.current_version }),
    path,
    at: node.mark,
  })
  return undefined
}

function checkSlots(node: YamlMap, task: YamlNode, { connectors }: CatalogueVersion, path: string, check: Check): void {
  const bound = entryOf(node, 'connectors')
  const entries = bound?.value.kind === 'map' ? bound.value.entries : []
  const slots = Object.keys(connectors)
  for (const { key, keySpan, value } of entries) {
    const slot = Object.hasOwn(connectors, key) ? connectors[key] : undefined
    const entryPath = joinPath(joinPath(path, 'connectors'), key)
    if (slot) checkBinding(value, entryPath, key, slot, check)
    else {
      check.context.report({
        code: 'unknown_slot',
        message: msg('task_has_no_slot', { key: key.slice(0, 60) }),
        hint: slots.length === 0 ? msg('task_has_no_slots') : check.suggest(key, slots, 'slots'),
        path: entryPath,
        at: keySpan,
      })
    }
  }
  // A list or a text where the map should be has been reported.
  if (bound && bound.value.kind !== 'map') return
  const given = new Set(entries.map(({ key }) => key))
  for (const [name, slot] of Object.entries(connectors)) {
    if (given.has(name)) continue
    check.context.report({
      code: 'slot_unbound',
      message: msg('slot_unbound', { slot: name, types: slot.types, use: toDo(slot.access) }),
      hint: msg('bind_slot', { slot: name, fitting: fittingConnectors(slot, check) }),
      path,
      at: bound?.keySpan ?? task.mark,
    })
  }
}

const toDo = (access: Access): Message =>
  access === 'read' ? msg('read_from') : access === 'write' ? msg('write_to') : msg('read_and_write')

function fittingConnectors(slot: ConnectorSlot, { context }: Check): Message {
  const names = [...context.slots].flatMap(([name, one]) =>
    one?.types.every((type) => slot.types.includes(type)) === true ? [name] : [],
  )
  return names.length === 0 ? msg('no_fitting_connector') : msg('any_of', { names: names.slice(0, 10) })
}

function checkBinding(node: YamlNode, path: string, name: string, slot: ConnectorSlot, check: Check): void {
  if (node.kind !== 'scalar' || typeof node.value !== 'string') return
  const connector = check.context.slots.get(node.value)
  if (!connector) return
  const unfit = connector.types.filter((type) => !slot.types.includes(type))
  if (unfit.length > 0) {
    check.context.report({
      code: 'slot_type',
      message: msg('connector_type_unfit', { connector: node.value, allowed: unfit, slot: name, types: slot.types }),
      hint: msg('bind_another_or_types', { types: slot.types }),
      path,
      at: node.mark,
    })
    return
  }
  const before = check.needed.get(node.value)
  check.needed.set(node.value, before === undefined || before === slot.access ? slot.access : 'read_write')
  if (!check.explicit.has(node.value) || connector.access === slot.access || connector.access === 'read_write') return
  check.context.report({
    code: 'slot_access',
    message: msg('connector_access_unfit', {
      connector: node.value,
      access: connector.access,
      use: toDo(slot.access),
      slot: name,
    }),
    hint: msg('set_access_or_remove', { connector: node.value }),
    path,
    at: node.mark,
  })
}

function checkArguments(
  node: YamlMap,
  task: YamlNode,
  { arguments: specs }: CatalogueVersion,
  path: string,
  check: Check,
): void {
  const written = entryOf(node, 'args')
  if (written && written.value.kind !== 'map') return
  const entries = written?.value.kind === 'map' ? written.value.entries : []
  const names = Object.keys(specs)
  const silent: ReadContext = { ...check.context, report: () => {} }
  for (const { key, keySpan, value } of entries) {
    const entryPath = joinPath(joinPath(path, 'args'), key)
    const spec = Object.hasOwn(specs, key) ? specs[key] : undefined
    if (!spec) {
      check.context.report({
        code: 'unknown_argument',
        message: msg('unknown_argument', { key: key.slice(0, 60) }),
        hint: names.length === 0 ? msg('task_has_no_arguments') : check.suggest(key, names, 'arguments'),
        path: entryPath,
        at: keySpan,
      })
      continue
    }
    const literal = readJson(value, entryPath, silent, true)
    // null is as if it was left out; what an expression gives shows when it runs.
    if (literal === undefined || literal === null || holdsExpression(literal)) continue
    const checked = checkArgumentValue(spec, literal)
    if (checked.ok) continue
    check.context.report({
      code: 'argument_not_allowed',
      message: msg('value_problem', { path: `${key}${checked.problem.at}`, problem: checked.problem.message }),
      hint: msg('write_argument_value'),
      path: entryPath,
      at: value.mark,
    })
  }
  const given = new Set(entries.flatMap(({ key, value }) => (isNothing(value) ? [] : [key])))
  for (const [name, spec] of Object.entries(specs)) {
    if (!spec.required || given.has(name)) continue
    check.context.report({
      code: 'argument_missing',
      message: msg('argument_missing', { name, type: spec.type }),
      hint: msg('add_argument', { name }),
      path,
      at: written?.keySpan ?? task.mark,
    })
  }
}

const isNothing = (node: YamlNode): boolean => node.kind === 'scalar' && node.value === null
