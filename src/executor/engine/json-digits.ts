import { text } from './sql-text.ts'

/**
 * DuckDB takes numbers out of documents by way of floating point: 1.10 becomes 1.1, and digits get lost. Here numbers become texts before, with
 * a mark in front: a noncharacter of Unicode, which is for uses such as this one.
 */
const mark = '\uFDD0'

const string = String.raw`"(?:[^"\\]|\\.)*"`
/** All in front of a number, texts whole, and the number. */
const number = text(String.raw`((?:[^"0-9\-]|${string})*)(-?[0-9][0-9.eE+\-]*)`)
/** Only such numbers come out differently: of many digits, with an exponent, with a zero at the end. */
const lossy = text(String.raw`[0-9.]{16}|[0-9][eE]|\.[0-9]*0(?:[^0-9.]|$)|-0`)
const marked = text(`${mark}|(?i)\\\\ufdd0`)

/** SQL that is true for a document with numbers that DuckDB would change. */
export function hasLossyNumbers(document: string): string {
  return `regexp_matches(CAST(${document} AS VARCHAR), ${lossy})`
}

/** SQL of a document whose numbers are marked texts, where it has any that matter. */
export function withDigits(document: string): string {
  const written = `CAST(${document} AS VARCHAR)`
  // The number at the end is our own: what follows on the last one is matched with it.
  const texts = `left(regexp_replace(${written} || ' 0', ${number}, ${text(`\\1"${mark}\\2"`)}, 'g'), -5)`
  return `CASE WHEN ${hasLossyNumbers(document)} AND NOT regexp_matches(${written}, ${marked}) THEN CAST(${texts} AS JSON) ELSE ${document} END`
}

/** SQL of the text of a scalar that was taken out of such a document. */
export function scalarText(value: string): string {
  return `ltrim(${value}, '${mark}')`
}

/** SQL of a document that was taken out of such a document. */
export function documentOf(value: string): string {
  const written = `CAST(${value} AS VARCHAR)`
  const numbers = `regexp_replace(${written}, ${text(`"${mark}([^"]*)"`)}, '\\1', 'g')`
  return `CAST(CASE WHEN contains(${written}, '${mark}') THEN ${numbers} ELSE ${written} END AS JSON)`
}
