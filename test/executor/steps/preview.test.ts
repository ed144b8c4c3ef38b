import { expect, it } from 'vitest'
import { runCall } from '../../../src/executor/engine/calls.ts'
import { temporaryFolder } from '../engine/run-task.ts'

it('shows what each of the steps makes of a sample, and what it rejects', async () => {
  const yaml = `etl: 1
kind: pipeline
name: preview
connectors: {out: {type: file, access: write}}
source:
  inline:
    rows:
      - {id: 1, doc: {country: SE, items: [{sku: a}, {sku: b}]}}
      - {id: 2, doc: {country: XX, items: [{sku: a}]}}
inputs:
  countries: {inline: {rows: [{code: SE, name: Sverige}]}}
steps:
  - flatten: doc
  - explode: {column: doc_items, as: item, index: at}
  - map: '{"id": id, "country": doc_country, "sku": $uppercase(item.sku)}'
  - lookup: {input: countries, on: {country: code}, on_missing: quarantine}
  - dedupe: [country]
  - map: '{"id": id, "sum": $sum(sku)}'
target: {connector: out, file: {path: out.jsonl}}
`
  const io = { signal: new AbortController().signal, tempDir: temporaryFolder() }
  const work = { kind: 'preview' as const, yaml_content: yaml, arguments: {}, connectors: {}, step: null, limit: 100 }
  const answer = await runCall(work, io)
  if (answer.kind !== 'preview') throw new Error(answer.kind)
  const { stages } = answer.value
  expect(stages.map((stage) => [stage.key, stage.row_count, stage.rejected])).toEqual([
    ['source', 2, 0],
    ['flatten', 2, 0],
    ['explode', 3, 0],
    ['map', 3, 0],
    ['lookup', 2, 1],
    ['dedupe', 1, 0],
    ['map_2', 0, 0],
  ])
  expect(stages[4]?.rejects).toMatchObject([
    { reason: 'nothing in input `countries` for country = XX', row: { id: 2, country: 'XX', sku: 'A' } },
  ])
  expect(stages[5]?.rows).toEqual([[1, 'SE', 'A', 'Sverige']])
  expect(stages[6]?.error).toMatchObject({ code: 'EXPRESSION_FAILED' })
})
