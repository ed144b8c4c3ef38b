// Texts become decimals by ways of ours, because DuckDB's own takes long for wide ones: both give the same, of any text.
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { castText, decimalText } from '../../../src/executor/engine/cast-decimals.ts'

let connection: DuckDBConnection
beforeAll(async () => {
  connection = await (await DuckDBInstance.create(':memory:')).connect()
})
afterAll(() => connection.closeSync())

let state = 20_261_127
const random = (below: number): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}
const digits = (most: number): string =>
  Array.from({ length: random(most + 1) }, () => '0123456789009'[random(13)]).join('')
const pick = (...some: string[]): string => some[random(some.length)] ?? ''

function number(): string {
  const fraction = random(3) === 0 ? '' : `.${digits(random(2) === 0 ? 4 : 40)}`
  return `${pick('', '', '', '-', '+')}${digits(random(3) === 0 ? 40 : 12)}${fraction}`
}
const other = (): string =>
  pick('', ' 1', '1 ', 'NaN', '1_000', '.', '-', '--1', '1.2.3', '٣', '1,5', '0x10', '1.', '.5', '-.5')

const plain = Array.from({ length: 6000 }, () => (random(20) === 0 ? other() : number()))
const withExponents = Array.from(
  { length: 2000 },
  () => `${number()}${pick('e', 'E')}${pick('', '-', '+')}${digits(2)}`,
)
const types = ['38,0', '38,2', '38,10', '38,37', '38,38', '30,18', '25,20', '20,4', '19,0', '19,19', '18,4', '9,2'].map(
  (one) => `DECIMAL(${one})`,
)

async function differing(texts: readonly string[], type: string, ours: string): Promise<unknown[]> {
  await connection.run('CREATE OR REPLACE TEMP TABLE texts (x VARCHAR)')
  const appender = await connection.createAppender('texts')
  for (const text of texts) {
    appender.appendVarchar(text)
    appender.endRow()
  }
  appender.closeSync()
  const found = await connection.runAndReadAll(
    `SELECT x, CAST(TRY_CAST(x AS ${type}) AS VARCHAR), CAST(${ours} AS VARCHAR), typeof(${ours}) FROM texts
     WHERE TRY_CAST(x AS ${type}) IS DISTINCT FROM ${ours} OR typeof(${ours}) <> '${type}' LIMIT 5`,
  )
  return found.getRowsJson()
}

it.each(types)('a text without an exponent is the same %s as by DuckDB’s own cast', async (type) => {
  expect(await differing(plain, type, decimalText('x', type))).toEqual([])
  expect(await differing(plain, type, castText('x', type, 'TRY_CAST'))).toEqual([])
})

it.each(types)('a text with an exponent, too: %s', async (type) => {
  expect(await differing([...plain, ...withExponents], type, castText('x', type, 'TRY_CAST'))).toEqual([])
})

it('a text that is no number stops the query', async () => {
  await expect(connection.run(`SELECT ${castText("'1.2.3'", 'DECIMAL(38,2)')}`)).rejects.toThrow('1.2.3')
})
