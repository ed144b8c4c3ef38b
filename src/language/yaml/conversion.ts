import type { Report } from '../diagnostic-collector.ts'
import type { LineIndex } from './line-index.ts'
import { MAX_VALUES } from './scan-tokens.ts'
import type { Span, YamlNode } from './yaml-tree.ts'
import type { Message } from '../message.ts'
import { msg } from '../messages.ts'

/** Where the reading of one document stands. */
export interface Conversion {
  text: string
  position: LineIndex
  report: Report
  /** Anchors whose node is complete, with the number of nodes in it. */
  anchors: Map<string, { node: YamlNode; size: number; depth: number }>
  heights: WeakMap<YamlNode, number>
  /** Anchors around the node at hand: an alias to one of them would never end. */
  open: Set<string>
  aliases: number
  nodes: number
  complete: boolean
  stopped: boolean
}

/** Reports what keeps the document from being complete. */
export function fail(state: Conversion, finding: Parameters<Report>[0]): null {
  state.complete = false
  state.report(finding)
  return null
}

export function reportTooManyValues(report: Report, at: Span): void {
  report({
    code: 'too_many_values',
    message: msg('too_many_values', { limit: MAX_VALUES }),
    hint: msg('move_rows'),
    path: '',
    at,
  })
}

/** Reports what makes going on pointless or costly. */
export function stop(
  state: Conversion,
  code: 'too_deep' | 'too_many_aliases',
  message: Message,
  hint: Message,
  at: Span,
): null {
  state.stopped = true
  return fail(state, { code, message, hint, path: '', at })
}

/** Only a tag that is written stands on a node: `failsafe` implies none. */
export function reportTag(state: Conversion, at: Span, path: string): null {
  return fail(state, {
    code: 'tag_not_allowed',
    message: msg('tag_not_allowed'),
    hint: msg('remove_tag'),
    path,
    at,
  })
}

/** Escapes in double quotes can make what no database, file or JSON text takes: NUL, and halves of characters. */
export function isSound(value: string): boolean {
  return !value.includes('\u0000') && value.isWellFormed()
}

export function reportUnsound(state: Conversion, at: Span, path: string): null {
  return fail(state, {
    code: 'invalid_character',
    message: msg('escape_unsound'),
    hint: msg('remove_escape'),
    path,
    at,
  })
}

/** `decimal(12,2)` without quotes in a flow map: the comma ends the value, and `2)` begins another key. */
export function cutByComma(
  text: string,
  key: readonly [number, number, number],
  before: { value: YamlNode } | undefined,
): Span | null {
  if (before?.value.kind !== 'scalar' || before.value.style !== 'plain') return null
  const { start, end } = before.value
  const rest = /^\s*,[^(){}[\],:]*\)$/.test(text.slice(end, key[1]))
  return rest && /\([^()]*$/.test(text.slice(start, end)) ? { start, end: key[1] } : null
}

export function reportCutByComma(state: Conversion, span: Span, path: string): null {
  const written = state.text.slice(span.start, span.end)
  return fail(state, {
    code: 'yaml_syntax',
    message: msg('cut_by_comma', { value: written }),
    hint: msg('write_in_quotes', { text: written }),
    path,
    at: span,
  })
}

export function reportBareBraces(state: Conversion, span: Span, path: string): null {
  const written = state.text.slice(span.start, span.end)
  const inner = written.replaceAll(/^\{+|\}+$/g, '').trim()
  return fail(state, {
    code: 'bare_braces',
    message: msg('braces_make_map'),
    hint:
      inner.length > 0 && inner.length < 80 && !inner.includes('\n')
        ? msg('write_quoted_expression', { expression: inner })
        : msg('write_quoted_expression_form'),
    path,
    at: span,
  })
}
