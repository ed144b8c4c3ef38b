import type { RunRejectGroup } from '../../../contract/run-rejects.ts'
import { isRunMessageCode, rebuilt } from '../../../contract/run-messages.ts'
import { isMessage } from '../../../language/message.ts'

/** A rejected row as grouping sees it: why it was rejected, as the store has it. */
export interface RejectReason {
  id: number
  step: string
  code: string | null
  params: string | null
  reason: string
  reason_key: string
}

/** Groups that are listed; beyond these, reasons come from the rows themselves. */
export const mostGroups = 200

/** Parameters that say which rule was broken. All others are of the row: its values, its place. */
const ruling: ReadonlySet<string> = new Set(['name', 'check', 'column', 'columns', 'input', 'type', 'cause', 'causes'])

type Params = Readonly<Record<string, unknown>>

const readParams = (params: string | null): Params => (params === null ? {} : (JSON.parse(params) as Params)) // as saveRejects wrote it

function ruleOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ruleOf)
  return isMessage(value) ? [value.code, rulesOf(value.params)] : value
}

const rulesOf = (params: Params): unknown[] =>
  Object.entries(params)
    .filter(([name]) => ruling.has(name))
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([name, value]) => [name, ruleOf(value)])

/** Equal for rows that were rejected for the same reason, whatever their values are. Without a code, the text is the reason. */
export const reasonKey = (code: string | null, params: string | null, reason: string): string =>
  JSON.stringify(code === null ? [reason] : [code, rulesOf(readParams(params))])

const different = '…'

/** What two rows of a group have in common. */
function common(one: unknown, other: unknown): unknown {
  if (isMessage(one) && isMessage(other) && one.code === other.code)
    return { ...one, params: commonParams(one.params, other.params) }
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length)
    return one.map((value: unknown, at) => common(value, other[at]))
  return JSON.stringify(one) === JSON.stringify(other) ? one : different
}

const commonParams = (one: Params, other: Params): Params =>
  Object.fromEntries(Object.entries(one).map(([name, value]) => [name, common(value, other[name])]))

/** The rows of a run by step and reason, largest group first. */
export function groupRejects(rejects: Iterable<RejectReason>): RunRejectGroup[] {
  const groups = new Map<string, RunRejectGroup>()
  for (const { id, step, code, params, reason, reason_key } of rejects) {
    const key = JSON.stringify([step, reason_key])
    const known = groups.get(key)
    const own = params === null ? null : readParams(params)
    if (known) {
      known.count += 1
      if (known.params && own) known.params = commonParams(known.params, own)
    } else groups.set(key, { first_id: id, step, reason, code, params: own, count: 1 })
  }
  return [...groups.values()]
    .toSorted((a, b) => b.count - a.count || a.first_id - b.first_id)
    .slice(0, mostGroups)
    .map(withText)
}

/** A group whose rows differ has the text of what they have in common. */
function withText(group: RunRejectGroup): RunRejectGroup {
  const { code, params, count } = group
  if (count === 1 || code === null || params === null || !isRunMessageCode(code)) return group
  // What came says nothing once it differs: the rule alone is the reason.
  const shown = code === 'check_broken_by' && params['values'] === different ? 'check_broken' : code
  const { message, params: own } = rebuilt({ code: shown, params })
  return { ...group, code: shown, reason: message, params: own }
}
