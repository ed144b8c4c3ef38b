import { describe, expect, it } from 'vitest'
import { compare } from '../../../src/server/platform/versioned-text.ts'

describe('what saving a text means', () => {
  const stored = { yaml_content: 'name: a', tags: ['x'] }
  it('is nothing when text and tags are the same, or tags are left out', () => {
    expect(compare(stored, { yaml_content: 'name: a', tags: ['x'] })).toEqual({ kind: 'none' })
    expect(compare(stored, { yaml_content: 'name: a' })).toEqual({ kind: 'none' })
  })
  it('is new tags when only they differ', () => {
    expect(compare(stored, { yaml_content: 'name: a', tags: [] })).toEqual({ kind: 'tags' })
  })
  it('is a new version when the text differs by as little as a space', () => {
    expect(compare(stored, { yaml_content: 'name: a ', tags: ['y'] })).toEqual({ kind: 'version' })
  })
})
