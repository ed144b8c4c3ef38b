import type { Document, YAMLError } from 'yaml'
import type { Report } from '../diagnostic-collector.ts'
import { findUnclosed } from './find-unclosed.ts'
import type { Span } from './yaml-tree.ts'

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
    report({ code: 'tab_indent', message: 'A tab cannot indent YAML.', hint: 'Indent with two spaces.', path: '', at })
  }
  if (tabs.length === 0) reportFirst(text, first, tokens, report)
  return false
}

function reportFirst(text: string, error: YAMLError, tokens: readonly string[], report: Report): void {
  const unclosed = isAboutClosing(error) || text.slice(0, error.pos[0]).includes('\n') ? findUnclosed(text, tokens, error.pos[0]) : null
  const open = unclosed ? text[unclosed.start] : undefined
  const isQuote = open === '"' || open === "'"
  if (unclosed && (isQuote || isAboutClosing(error))) {
    report({
      code: 'yaml_syntax',
      message: isQuote ? 'This quote is not closed.' : `This \`${open}\` is not closed.`,
      hint: hintFor(text, error, unclosed.start) ?? (isQuote ? `Add \`${open}\` where the text ends.` : `Add \`${open === '[' ? ']' : '}'}\`.`),
      path: '',
      at: unclosed,
    })
    return
  }
  const indented = error.code === 'BLOCK_AS_IMPLICIT_KEY' ? indentedLine(text, error.pos[0]) : null
  report({
    code: 'yaml_syntax',
    message: indented
      ? 'The indentation does not fit the lines before it.'
      : (messages[error.code] ?? `This is not valid YAML: ${error.message}.`),
    hint: indented
      ? 'Lines of one map or list start at the same column.'
      : (hintFor(text, error, error.pos[0]) ??
        hints[error.code] ??
        'Check quotes, brackets and indentation on this line and the one before.'),
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

const messages: Partial<Record<YAMLError['code'], string>> = {
  BAD_INDENT: 'The indentation does not fit the lines before it.',
  BAD_DQ_ESCAPE: 'Unknown escape in a double-quoted text.',
  BLOCK_AS_IMPLICIT_KEY: 'A second `:` on one line, or a map that starts on the line of another one.',
  MULTILINE_IMPLICIT_KEY: 'A key must stand on one line, followed by `:`.',
  MISSING_CHAR: 'Something is not closed: a quote, a bracket, or the `:` after a key.',
  RESOURCE_EXHAUSTION: 'The text is too deeply nested to be read.',
}

const hints: Partial<Record<YAMLError['code'], string>> = {
  BAD_INDENT: 'Lines of one map or list start at the same column.',
  BAD_DQ_ESCAPE: "Write the backslash twice, or use single quotes: '…'.",
  BLOCK_AS_IMPLICIT_KEY: 'Put text that contains `: ` in quotes, or start a new line.',
  MULTILINE_IMPLICIT_KEY: 'Add the missing `:`, or quote the text.',
  MISSING_CHAR: 'Close it, or add the missing `:`.',
  BAD_SCALAR_START: 'Put the text in quotes.',
  BAD_ALIAS: 'Put the text in quotes if it was not meant as an alias.',
}

/** Where the line shows what was meant. */
function hintFor(text: string, error: YAMLError, at: number): string | null {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1
  const lineEnd = text.indexOf('\n', at)
  const line = text.slice(lineStart, lineEnd === -1 ? text.length : lineEnd)
  // `${{ a ? b : c }}` without quotes is the usual way to get any of these.
  if (/(^|[^"'\w])\$\{\{/.test(line)) return 'Put the whole value with its `${{ … }}` in double quotes.'
  if (/[^$]\{\{/.test(line)) return 'An expression is written "${{ … }}", in double quotes.'
  if (error.message.startsWith('Flow ') && at === error.pos[0])
    return 'Add the missing `]` or `}`, or indent the line deeper than the key before it.'
  return null
}
