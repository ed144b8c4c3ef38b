/** The draft of a task whose source is a query of the Explorer. Pure. */
import { sqlDatabases } from '../../../language/task/connector-slots.ts'
import { sourceSlot, targetSlot, yamlText } from '../incoming/data-draft.rules.ts'
import type { ParameterValues } from './statements.rules.ts'

/** Systems whose queries can be the source of a task as they are. */
export const canBeTask = (connectorType: string): boolean => sqlDatabases.some((type) => type === connectorType)

export function taskText(type: string, title: string, query: string, values: ParameterValues): string {
  const stem = title.replace(/[^\p{L}\p{N}]+/gu, '_').replace(/^_+|_+$/g, '') || 'query'
  // Such a value would be evaluated: it is left to be entered.
  const params = Object.entries(values).filter(([, value]) => !String(value).includes('${{'))
  return [
    'etl: 1',
    'kind: pipeline',
    `name: ${yamlText(stem.toLowerCase().slice(0, 100))}`,
    'connectors:',
    `  ${sourceSlot}: {type: ${type}, access: read}`,
    `  ${targetSlot}: {type: file, access: write}`,
    'source:',
    `  connector: ${sourceSlot}`,
    '  sql:',
    ...queryLines(query.trim().replace(/;$/, '')),
    ...(params.length === 0
      ? []
      : ['    params:', ...params.map(([name, value]) => `      ${name}: ${valueText(value)}`)]),
    'target:',
    `  connector: ${targetSlot}`,
    `  file: {path: ${yamlText(`${stem.toLowerCase().slice(0, 100)}.csv`)}}`,
    '',
  ].join('\n')
}

/** As it was written, where YAML keeps that. */
function queryLines(query: string): string[] {
  if (/[^\n\x20-\x7E\u00A1-\u1FFF\u3001-\uD7FF]| $/m.test(query)) return [`    query: ${yamlText(query)}`]
  return ['    query: |-', ...query.split('\n').map((line) => (line === '' ? '' : `      ${line}`))]
}

const valueText = (value: ParameterValues[string]): string =>
  typeof value === 'string' ? quotedText(value) : String(value)

/** Never a number, whatever it looks like. */
function quotedText(value: string): string {
  const written = yamlText(value)
  return written === value ? JSON.stringify(value) : written
}
