import Ajv2020 from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { JsonSchema } from '../../../src/language/shape/json-schema.ts'
import { steps } from '../../../src/language/task/steps/step-registry.ts'
import { taskSchema } from '../../../src/language/task/task-schema.ts'
import { fixtures } from '../fixtures/fixtures.ts'

const validate = new Ajv2020({ strict: false, allErrors: true }).compile(taskSchema)

function walk(schema: JsonSchema, path: string, visit: (schema: JsonSchema, path: string) => void): void {
  visit(schema, path)
  for (const [key, property] of Object.entries(schema.properties ?? {})) walk(property, `${path}.${key}`, visit)
  if (typeof schema.additionalProperties === 'object') walk(schema.additionalProperties, `${path}.*`, visit)
  if (schema.items) walk(schema.items, `${path}[]`, visit)
  for (const one of schema.anyOf ?? []) walk(one, path, visit)
}

describe('task schema', () => {
  it.each(
    fixtures()
      .filter((fixture) => fixture.valid)
      .map((fixture) => [fixture.name, fixture.text] as const),
  )('accepts the valid document %s', (_name, text) => {
    validate(parse(text.replace('\u{FEFF}', '')))
    expect(validate.errors).toBeNull()
  })

  it.each([
    ['unknown-key', '/'],
    ['choice-far', '/target'],
    ['number-too-small', '/target/batch/rows'],
    ['step-two-keys', '/steps/0'],
    ['missing-name', ''],
    ['kind-keys-of-another', ''],
    ['sql-task-with-source', ''],
    ['state-type-unknown', '/state/cursor/type'],
    ['hook-unknown-phase', '/hooks'],
    ['script-too-much-memory', '/script'],
  ])('refuses the invalid document %s, too', (name) => {
    const fixture = fixtures().find((candidate) => candidate.name === name)
    expect(validate(parse(fixture?.text ?? ''))).toBe(false)
  })

  it('is plain JSON, so that what is served is what is used', () => {
    expect(JSON.parse(JSON.stringify(taskSchema))).toEqual(taskSchema)
  })

  it('describes every key, since the descriptions are the documentation', () => {
    const without: string[] = []
    walk(taskSchema, '', (schema, path) => {
      for (const [key, property] of Object.entries(schema.properties ?? {})) {
        if (!property.description) without.push(`${path}.${key}`)
      }
    })
    expect(without).toEqual([])
  })

  it('explains every word that can be chosen', () => {
    const unexplained: string[] = []
    walk(taskSchema, '', (schema, path) => {
      if (schema.enum && schema['x-enum-descriptions']?.length !== schema.enum.length) unexplained.push(path)
    })
    expect(unexplained).toEqual([])
  })

  it('gives an example of every step, which the schema accepts', () => {
    const base = {
      etl: 1,
      kind: 'pipeline',
      name: 'x',
      source: { inline: { rows: [] } },
      target: { connector: 'db', table: 't' },
    }
    for (const { kind, shape } of steps) {
      for (const example of shape.schema.examples ?? []) {
        validate({ ...base, steps: [{ [kind]: example }] })
        expect([kind, validate.errors]).toEqual([kind, null])
      }
      expect([kind, shape.schema.examples?.length ?? 0]).not.toEqual([kind, 0])
    }
  })
})
