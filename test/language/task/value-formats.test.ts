import { describe, expect, it } from 'vitest'
import { completeTask } from '../../../src/language/complete.ts'
import { hoverTask } from '../../../src/language/hover.ts'
import { parseTask } from '../../../src/language/task/parse-task.ts'

const task = (files: string) => `etl: 1
kind: pipeline
name: x
connectors: {f: {type: file, access: read_write}}
source:
  connector: f
  files:
    glob: a.csv
    ${files}
target: {connector: f, file: {path: b.csv}}
`
const sourceOf = (files: string) => {
  const { task: parsed, diagnostics } = parseTask(task(files))
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  return parsed?.kind === 'pipeline' && parsed.source.kind === 'files' ? parsed.source : null
}
const errorOf = (files: string) => {
  const [first, ...others] = parseTask(task(files)).diagnostics.filter(({ severity }) => severity === 'error')
  expect(others).toEqual([])
  return { code: first?.code, path: first?.path, message: first?.message, hint: first?.hint }
}

describe('how values are written', () => {
  it('is said for a file and for a column', () => {
    expect(sourceOf('csv: {decimal: ",", thousands: ".", date_format: "%d.%m.%Y"}')?.csv?.formats).toEqual({
      numbers: { kind: 'number', decimal: ',', thousands: '.' },
      date: '%d.%m.%Y',
      datetime: null,
    })
    const files =
      'columns: {id: integer, a: {type: "decimal(12,2)", decimal: ",", thousands: " "}, d: {type: date, format: "%d/%m/%Y"}, n: {type: number, thousands: "."}}'
    expect(sourceOf(files)).toMatchObject({
      columns: { id: 'integer', a: 'decimal(12,2)', d: 'date', n: 'number' },
      formats: {
        a: { kind: 'number', decimal: ',', thousands: ' ' },
        d: { kind: 'moment', pattern: '%d/%m/%Y' },
        n: { kind: 'number', decimal: ',', thousands: '.' },
      },
    })
    expect(sourceOf('csv: {decimal: "."}')?.csv?.formats).toBeUndefined()
  })

  const wrong: [string, string, string, RegExp, RegExp][] = [
    ['csv: {decimal: ",", thousands: ","}', 'invalid_value', 'source.files.csv.thousands', /both/, /two meanings/],
    [
      'columns: {v: {type: string, decimal: ","}}',
      'option_not_applicable',
      'source.files.columns.v.decimal',
      /does not apply/,
      /number/,
    ],
    [
      'columns: {v: {type: integer, format: "%d"}}',
      'option_not_applicable',
      'source.files.columns.v.format',
      /does not apply/,
      /date/,
    ],
    [
      'columns: {v: {type: date, format: dd.mm.yyyy}}',
      'invalid_value',
      'source.files.columns.v.format',
      /year, the month, the day/,
      /`%d\.%m\.%Y`/,
    ],
    ['csv: {date_format: "%d.%m"}', 'invalid_value', 'source.files.csv.date_format', /the year/, /%Y/],
    ['csv: {date_format: "%d.%m.%Y %Q"}', 'invalid_value', 'source.files.csv.date_format', /unknown part/, /%d/],
    ['csv: {datetime_format: "%d.%m.%Y %I:%M"}', 'invalid_value', 'source.files.csv.datetime_format', /%I/, /%H/],
    [
      'columns: {v: {type: time, format: "%d %H:%M"}}',
      'invalid_value',
      'source.files.columns.v.format',
      /%d/,
      /datetime/,
    ],
    [
      'columns: {v: {type: date, format: "%d.%m.%Y %z"}}',
      'invalid_value',
      'source.files.columns.v.format',
      /offset/,
      /datetime/,
    ],
    ['csv: {decimal: ";"}', 'not_one_of', 'source.files.csv.decimal', /`;`/, /`,`/],
  ]
  it.each(wrong)('%s is refused at its place', (files, code, path, message, hint) => {
    const found = errorOf(files)
    expect(found).toMatchObject({ code, path })
    expect(found.message).toMatch(message)
    expect(found.hint).toMatch(hint)
  })

  it('is completed and explained', () => {
    const at = (files: string) => {
      const text = task(files)
      const offset = text.indexOf('¦')
      return completeTask(text.replace('¦', ''), offset).map(({ label }) => label)
    }
    expect(at('csv: {de¦}')).toContain('decimal')
    expect(at('columns: {v: {ty¦}}')).toContain('type')
    expect(at('columns: {v: {type: date, fo¦}}')).toContain('format')
    const text = task('csv: {thousands: "."}')
    expect(
      hoverTask(text, text.indexOf('thousands') + 2)?.markdown ??
        JSON.stringify(hoverTask(text, text.indexOf('thousands') + 2)),
    ).toContain('Thousands separator')
  })
})
