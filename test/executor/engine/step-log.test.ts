import { expect, it } from 'vitest'
import { fileConnector, runTask, temporaryFolder } from './run-task.ts'

it('a line of the log names its step once', async () => {
  const { log } = await runTask(
    `etl: 1
kind: pipeline
name: rows
connectors: {out: {type: file, access: write}}
source: {inline: {rows: [{n: 1}, {n: 2}, {n: 3}]}}
steps: [{filter: "n > 1"}]
target: {connector: out, file: {path: out.parquet}}
`,
    { out: fileConnector(temporaryFolder()) },
  )
  const counts = log.filter(({ step, message }) => step === 'filter' && message.includes('rows in'))
  expect(counts.map(({ message }) => message)).toEqual([expect.stringMatching(/^n > 1: 3 rows in, 2 out \(/)])
})
