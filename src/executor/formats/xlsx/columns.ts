import { XmlError } from './xml.ts'

/** `AB12` → 27 */
export function columnIndex(place: string): number {
  let index = 0
  for (const character of place) {
    const letter = character.charCodeAt(0) & ~32
    if (letter < 65 || letter > 90) break
    index = index * 26 + letter - 64
  }
  if (index < 1 || index > 16_384) throw new XmlError(`a cell stands at ${place.slice(0, 20)}, which is no place`)
  return index - 1
}

/** 27 → `AB` */
export function columnLetters(index: number): string {
  return index < 26
    ? String.fromCharCode(65 + index)
    : columnLetters(Math.floor(index / 26) - 1) + String.fromCharCode(65 + (index % 26))
}
