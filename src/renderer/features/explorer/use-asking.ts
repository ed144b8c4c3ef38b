import { useRef, useState } from 'react'
import type { Connector } from '../../../contract/connectors.ts'
import type { PresetParameter } from '../../../contract/explorer-presets.ts'
import type { Changes } from './ReviewDialog.tsx'
import { changesRows, rawDefinition } from './builder.rules.ts'
import { type ParameterValues, languageOf, parametersOf, textsOf } from './statements.rules.ts'
import type { ExplorerTab } from './tabs.ts'
import type { Asked } from './use-query.ts'
import { isChangeable, writes } from './writes.rules.ts'

/** What a dialog asks or shows instead of the result. */
export type Question =
  | { kind: 'parameters'; text: string; names: readonly string[] }
  | { kind: 'values'; asked: Asked; parameters: readonly PresetParameter[] }
  | { kind: 'review'; changes: Changes }
  | { kind: 'discard'; asked: Asked }
  | { kind: 'plan'; asked: Asked }

interface AskingOptions {
  tab: ExplorerTab
  connector: Connector
  /** How many changes of the result wait for their review: a new result loses them. */
  stagedCount: () => number
  run: (asked: Asked) => void
}

/** The way from a query to its result or plan: values of its parameters first, and a review of what it writes. */
export function useAsking({ tab, connector, stagedCount, run }: AskingOptions) {
  const language = languageOf(connector.type) ?? 'duckdb'
  const [question, setQuestion] = useState<Question | null>(null)
  const [values, setValues] = useState<ParameterValues>(tab.values ?? {})
  const [filled, setFilled] = useState(() => textsOf(tab.values))
  /** Whether the values that are being asked for are for a plan. */
  const forPlan = useRef(false)

  /** What writes is reviewed; everything else is run. */
  function send(asked: Asked): void {
    const { definition, parameters = {}, resource } = asked
    const isWrite = definition.mode === 'raw' && writes(definition.rawQuery ?? '', language)
    if (forPlan.current) setQuestion({ kind: 'plan', asked })
    else if (changesRows(definition))
      setQuestion({ kind: 'review', changes: { definition, parameters, ...(resource !== undefined && { resource }) } })
    else if (isWrite && isChangeable(connector)) setQuestion({ kind: 'review', changes: { definition, parameters } })
    else if (stagedCount() > 0) setQuestion({ kind: 'discard', asked })
    else run(asked)
  }
  function ask(asked: Asked, plan = false): void {
    forPlan.current = plan
    const { parameters = [] } = asked.definition
    if (parameters.length > 0) setQuestion({ kind: 'values', asked, parameters })
    else send(asked)
  }

  return {
    question,
    close: () => setQuestion(null),
    /** Of parameters in texts, as they were last given. */
    values,
    remember: (given: ParameterValues) => setValues((before) => ({ ...before, ...given })),
    /** Of parameters of a preset. */
    filled,
    ask,
    askText(text: string, plan: boolean): void {
      if (text.trim() === '') return
      if (language === 'mongodb') return ask({ definition: rawDefinition(tab, text) }, plan)
      forPlan.current = plan
      const names = parametersOf(text, language)
      if (names.length > 0) setQuestion({ kind: 'parameters', text, names })
      else send({ definition: { mode: 'raw', rawQuery: text } })
    },
    giveParameters({ text }: { text: string }, parameters: ParameterValues): void {
      setQuestion(null)
      setValues((before) => ({ ...before, ...parameters }))
      send({ definition: { mode: 'raw', rawQuery: text }, parameters })
    },
    giveValues({ asked }: { asked: Asked }, parameters: Readonly<Record<string, string>>): void {
      setQuestion(null)
      setFilled(parameters)
      send({ ...asked, parameters })
    },
    discard({ asked }: { asked: Asked }): void {
      setQuestion(null)
      run(asked)
    },
  }
}
export type Asking = ReturnType<typeof useAsking>
