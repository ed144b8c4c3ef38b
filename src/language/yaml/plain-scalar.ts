import type { ScalarValue } from './yaml-tree.ts'
import type { Message } from '../message.ts'
import { msg } from '../messages.ts'

/** The YAML 1.2 core schema for plain scalars. `exact` is false for whole numbers beyond ±(2^53 - 1). */
export function resolvePlain(source: string): { value: ScalarValue; exact: boolean } {
  switch (source) {
    case '':
    case '~':
    case 'null':
    case 'Null':
    case 'NULL':
      return { value: null, exact: true }
    case 'true':
    case 'True':
    case 'TRUE':
      return { value: true, exact: true }
    case 'false':
    case 'False':
    case 'FALSE':
      return { value: false, exact: true }
    default:
      return resolveNumber(source)
  }
}

function resolveNumber(source: string): { value: ScalarValue; exact: boolean } {
  if (/^[-+]?[0-9]+$/.test(source) || /^0o[0-7]+$/.test(source) || /^0x[0-9a-fA-F]+$/.test(source)) {
    const value = Number(source)
    return { value, exact: Number.isSafeInteger(value) }
  }
  if (/^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/.test(source)) {
    const value = Number(source)
    return { value, exact: Number.isFinite(value) }
  }
  if (/^[-+]?\.(inf|Inf|INF)$/.test(source))
    return { value: source.startsWith('-') ? -Infinity : Infinity, exact: false }
  if (/^\.(nan|NaN|NAN)$/.test(source)) return { value: NaN, exact: false }
  return { value: source, exact: true }
}

/** A text as a hint writes it: in double quotes where it would not be one value otherwise. */
export function writtenText(text: string): string {
  return /[:#{}[\],&*!|>'"%@`\n]|^[-?\s]|\s$/.test(text) ? JSON.stringify(text) : text
}

/**
 * Plain scalars that YAML 1.1 readers take for something else. They are not wrong, but what is meant is unclear:
 * returns how they are read here and how to say each meaning, or null.
 */
export function ambiguity(source: string): { read: Message; hint: Message; flag?: boolean } | null {
  const text = msg('text')
  const flag = /^(y|yes|on)$/i.test(source) ? true : /^(n|no|off)$/i.test(source) ? false : undefined
  if (flag !== undefined)
    return { read: text, hint: msg('write_or_quote', { value: String(flag), text: source }), flag }
  if (/^[-+]?0[0-9]+$/.test(source)) {
    const number = Number(source)
    return { read: msg('the_number', { number }), hint: msg('write_or_keep_zeros', { number, text: source }) }
  }
  if (/^[-+]?[0-9][0-9_]*_[0-9_]*$/.test(source))
    return { read: text, hint: msg('write_or_quote', { value: source.replaceAll('_', ''), text: source }) }
  if (/^[-+]?[0-9]+(:[0-5]?[0-9])+$/.test(source)) return { read: text, hint: msg('write_in_quotes', { text: source }) }
  return null
}
