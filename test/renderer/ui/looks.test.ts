import { describe, expect, test } from 'vitest'
import { choiceFrom, contrastChoices, looksOf } from '../../../src/renderer/ui/looks.rules.ts'

const calm = { moreContrast: false, forcedColors: false, lessMotion: false }

describe('contrast and motion', () => {
  test('follow the system until somebody chooses', () => {
    expect(looksOf('auto', 'auto', calm)).toEqual({ contrast: 'standard', motion: 'full' })
    expect(looksOf('auto', 'auto', { ...calm, moreContrast: true })).toEqual({ contrast: 'high', motion: 'full' })
    expect(looksOf('auto', 'auto', { ...calm, lessMotion: true })).toEqual({ contrast: 'standard', motion: 'reduced' })
  })

  test('are as chosen, whatever the system asks for', () => {
    const wished = { moreContrast: true, forcedColors: false, lessMotion: true }
    expect(looksOf('standard', 'full', wished)).toEqual({ contrast: 'standard', motion: 'full' })
    expect(looksOf('high', 'reduced', calm)).toEqual({ contrast: 'high', motion: 'reduced' })
  })

  test('colours that the system forces make high contrast of every choice: tints are gone, borders are left', () => {
    expect(looksOf('standard', 'auto', { ...calm, forcedColors: true }).contrast).toBe('high')
  })

  test('a stored choice that nobody knows is none', () => {
    expect(choiceFrom(contrastChoices, 'high', 'auto')).toBe('high')
    expect(choiceFrom(contrastChoices, 'higher', 'auto')).toBe('auto')
    expect(choiceFrom(contrastChoices, null, 'auto')).toBe('auto')
  })
})
