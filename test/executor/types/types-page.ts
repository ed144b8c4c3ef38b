import type { System } from './systems.ts'
import type { ValueType } from './value-types.ts'

/** What became of a type in a system. */
export type Verdict =
  /** `native`: the system's own name of the type; `read`: DuckDB's type when it is read again. */
  { kind: 'kept'; native: string | null; read: string } | { kind: 'refused'; reason: string }

const brokeOff = /^The server did not answer, or broke off/

/** docs/types.md. */
export function typesPage(
  types: readonly ValueType[],
  systems: readonly System[],
  verdicts: ReadonlyMap<string, ReadonlyMap<string, Verdict>>,
): string {
  const cell = (system: System, type: ValueType): string => {
    const verdict = verdicts.get(system.key)?.get(type.key)
    if (!verdict) return '?'
    if (verdict.kind === 'refused') return brokeOff.test(verdict.reason) ? '¹' : 'refused'
    const { native, read } = verdict
    return native === null ? `\`${read}\`` : `\`${native}\``
  }
  const table = (some: readonly System[]): string[] => [
    `| | ${some.map(({ title }) => title).join(' | ')} |`,
    `|---|${some.map(() => '---').join('|')}|`,
    ...types.map((type) => `| ${type.title} | ${some.map((system) => cell(system, type)).join(' | ')} |`),
  ]
  const refusals = systems.flatMap((system) =>
    types.flatMap((type) => {
      const verdict = verdicts.get(system.key)?.get(type.key)
      if (verdict?.kind !== 'refused' || brokeOff.test(verdict.reason)) return []
      return [`- **${system.title}, ${type.title}**: ${verdict.reason}`]
    }),
  )
  const half = Math.ceil(systems.length / 2)
  return [
    '# Types across systems',
    '',
    '<!-- Written by test/executor/types: `UPDATE_DOCS=1 npm test -- test/executor/types`. -->',
    '',
    'What a value becomes when a task writes it to a system, in that system’s own words; for files, the type that it has when it is read',
    'again. Every cell was seen: values at the edge of each type, and NULL, went into the system and came back equal, and went on from each',
    'system into each other. What a system cannot hold is refused, with the reason; nothing is rounded or cut.',
    '',
    ...table(systems.slice(0, half)),
    '',
    ...table(systems.slice(half)),
    '',
    'CSV, JSON and Excel say little of types: there the task named them under `columns`. In CSV NULL and an empty text look the same, unless NULL',
    'has a word of its own (`csv: {null_value: …}`, and `null_values` when it is read).',
    '',
    'Where a type is read as another one (a date in SQLite or JSON is text there), a `cast` step gives it its type again, without loss.',
    '',
    '¹ Seen with FerretDB, which ends the connection at such values. MongoDB keeps them; that was not seen.',
    '',
    ...(refusals.length > 0 ? ['## Refused', '', ...refusals, ''] : []),
  ].join('\n')
}
