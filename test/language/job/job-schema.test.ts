import Ajv2020 from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { jobSchema } from '../../../src/language/job/job-schema.ts'
import type { JsonSchema } from '../../../src/language/shape/json-schema.ts'
import { jobFixtures } from '../fixtures/fixtures.ts'

const validate = new Ajv2020({ strict: false, allErrors: true }).compile(jobSchema)

function walk(schema: JsonSchema, path: string, visit: (schema: JsonSchema, path: string) => void): void {
  visit(schema, path)
  for (const [key, property] of Object.entries(schema.properties ?? {})) walk(property, `${path}.${key}`, visit)
  if (typeof schema.additionalProperties === 'object') walk(schema.additionalProperties, `${path}.*`, visit)
  if (schema.items) walk(schema.items, `${path}[]`, visit)
  for (const one of schema.anyOf ?? []) walk(one, path, visit)
}

describe('job template schema', () => {
  it.each(
    jobFixtures()
      .filter(({ valid }) => valid)
      .map(({ name, text }) => [name, text] as const),
  )('accepts the valid template %s', (_name, text) => {
    validate(parse(text))
    expect(validate.errors).toBeNull()
  })

  it.each([
    'unknown-keys',
    'ranges',
    'task-and-gate',
    'no-tasks',
    'tasks-missing',
    'keys-of-tasks',
    'kind-of-task',
    'depends-on-text',
    'depends-on-twice',
  ])('refuses the invalid template %s, too', (name) => {
    const fixture = jobFixtures().find((one) => one.name === name)
    expect(validate(parse(fixture?.text ?? ''))).toBe(false)
  })

  it('is plain JSON that describes every key and explains every word that can be chosen', () => {
    expect(JSON.parse(JSON.stringify(jobSchema))).toEqual(jobSchema)
    const without: string[] = []
    walk(jobSchema, '', (schema, path) => {
      for (const [key, property] of Object.entries(schema.properties ?? {}))
        if (!property.description) without.push(`${path}.${key}`)
      if (schema.enum && schema['x-enum-descriptions']?.length !== schema.enum.length) without.push(path)
    })
    expect(without).toEqual([])
  })
})
