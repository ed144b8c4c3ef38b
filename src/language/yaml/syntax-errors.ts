import type { Document, YAMLError } from 'yaml'
import type { Report } from '../diagnostic-collector.ts'
import { findUnclosed } from './find-unclosed.ts'
import type { Span } from './yaml-tree.ts'
import type { Message } from '../message.ts'
import { msg } from '../messages.ts'

const MAX_TABS = 3

/**
 * Reports the first syntax error at the place where it was made: later ones are mostly its consequences. Tabs are told alone, a
 * few of them. `tokens` are the lexer's. true: there is nothing to report.
 */
export function reportSyntaxErrors(
  text: string,
  documents: readonly Document.Parsed[],
  tokens: readonly string[],
  report: Report,
): boolean {
  const errors = documents.flatMap((document) => document.errors).filter((error) => error.code !== 'MULTIPLE_DOCS')
  const [first] = errors
  if (!first) return true
  const tabs = errors.filter((error) => error.code === 'TAB_AS_INDENT')
  for (const { pos } of tabs.slice(0, MAX_TABS)) {
    const at = onOneLine(text, { start: pos[0], end: pos[1] })
    report({ code: 'tab_indent', message: msg('tab_indent'), hint: msg('indent_with_spaces'), path: '', at })
  }
  if (tabs.length === 0) reportFirst(text, first, tokens, report)
  return false
}

function reportFirst(text: string, error: YAMLError, tokens: readonly string[], report: Report): void {
  const unclosed =
    isAboutClosing(error) || text.slice(0, error.pos[0]).includes('\n')
      ? findUnclosed(text, tokens, error.pos[0])
      : null
  const open = unclosed ? text.charAt(unclosed.start) : ''
  const isQuote = open === '"' || open === "'"
  if (unclosed && (isQuote || isAboutClosing(error))) {
    report({
      code: 'yaml_syntax',
      message: isQuote ? msg('text_quote_open') : msg('flow_bracket_open', { bracket: open }),
      hint:
        hintFor(text, error, unclosed.start) ??
        (isQuote
          ? msg('add_quote', { quote: open })
          : open === '['
            ? msg('add_square_bracket')
            : msg('add_curly_bracket')),
      path: '',
      at: unclosed,
    })
    return
  }
  const indented = error.code === 'BLOCK_AS_IMPLICIT_KEY' ? indentedLine(text, error.pos[0]) : null
  report({
    code: 'yaml_syntax',
    message: indented
      ? msg('indentation_misfit')
      : (messages[error.code] ?? msg('yaml_invalid', { message: error.message })),
    hint: indented
      ? msg('align_lines')
      : (hintFor(text, error, error.pos[0]) ?? hints[error.code] ?? msg('check_line')),
    path: '',
    at: indented ?? onOneLine(text, { start: error.pos[0], end: error.pos[1] }),
  })
}

/** "Flow map must …", and what misses its end. */
const isAboutClosing = (error: YAMLError): boolean => error.message.startsWith('Flow ') || error.code === 'MISSING_CHAR'

/** A key that is indented deeper than the `key: value` before it: the parser takes it for more of the value. */
function indentedLine(text: string, value: number): Span | null {
  const end = text.indexOf('\n', value)
  if (end === -1 || /:(\s|$)/.test(text.slice(value, end))) return null
  const next = /^(?:[ \t]*\r?\n)*( +)([^\s#][^\n]*?):(?=\s|$)/.exec(text.slice(end + 1))
  if (!next) return null
  const start = end + 1 + next[0].length - (next[2] ?? '').length - 1
  return { start, end: start + (next[2] ?? '').length }
}

/** What is missing at the end of a line is shown on the character before it. */
function onOneLine(text: string, span: Span): Span {
  const start = Math.min(span.start, text.length)
  const lineEnd = text.indexOf('\n', start) === -1 ? text.length : text.indexOf('\n', start)
  const end = Math.max(start, Math.min(span.end, lineEnd))
  return end === start && start > 0 && text[start - 1] !== '\n' ? { start: start - 1, end } : { start, end }
}

const messages: Partial<Record<YAMLError['code'], Message>> = {
  BAD_INDENT: msg('indentation_misfit'),
  BAD_DQ_ESCAPE: msg('escape_not_known'),
  BLOCK_AS_IMPLICIT_KEY: msg('second_colon'),
  MULTILINE_IMPLICIT_KEY: msg('key_over_lines'),
  MISSING_CHAR: msg('something_open'),
  RESOURCE_EXHAUSTION: msg('text_too_deep'),
}

const hints: Partial<Record<YAMLError['code'], Message>> = {
  BAD_INDENT: msg('align_lines'),
  BAD_DQ_ESCAPE: msg('escape_backslash'),
  BLOCK_AS_IMPLICIT_KEY: msg('quote_colon'),
  MULTILINE_IMPLICIT_KEY: msg('add_colon'),
  MISSING_CHAR: msg('close_or_add_colon'),
  BAD_SCALAR_START: msg('quote_text'),
  BAD_ALIAS: msg('quote_text_not_alias'),
}

/** Where the line shows what was meant. */
function hintFor(text: string, error: YAMLError, at: number): Message | null {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1
  const lineEnd = text.indexOf('\n', at)
  const line = text.slice(lineStart, lineEnd === -1 ? text.length : lineEnd)
  // `${{ a ? b : c }}` without quotes is the usual way to get any of these.
  if (/(^|[^"'\w])\$\{\{/.test(line)) return msg('quote_with_expression')
  if (/[^$]\{\{/.test(line)) return msg('write_expression_quoted')
  if (error.message.startsWith('Flow ') && at === error.pos[0]) return msg('close_flow_or_indent')
  return null
}
