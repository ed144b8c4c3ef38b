import type { Document, YAMLError } from 'yaml'
import { indexLines } from './line-index.ts'
import type { Report } from '../diagnostic-collector.ts'

/** Later ones, and further ones on the same line, are mostly consequences of the first. */
const MAX_SYNTAX_ERRORS = 3

/** Reports what the parser found; true when there is nothing. */
export function reportSyntaxErrors(text: string, documents: readonly Document.Parsed[], report: Report): boolean {
  const errors = documents.flatMap((document) => document.errors).filter((error) => error.code !== 'MULTIPLE_DOCS')
  const lines = new Set<number>()
  const position = indexLines(text)
  for (const error of errors) {
    const { line } = position(error.pos[0])
    if (lines.has(line)) continue
    lines.add(line)
    reportOne(text, error, report)
    if (lines.size === MAX_SYNTAX_ERRORS) break
  }
  return errors.length === 0
}

function reportOne(text: string, error: YAMLError, report: Report): void {
  let start = Math.min(error.pos[0], text.length)
  const lineEnd = text.indexOf('\n', start) === -1 ? text.length : text.indexOf('\n', start)
  const at = { start, end: Math.max(start, Math.min(error.pos[1], lineEnd)) }
  // What is missing at the end of a line is shown on the character before it.
  if (at.end === at.start && start > 0 && text[start - 1] !== '\n') at.start = --start
  if (error.code === 'TAB_AS_INDENT') {
    report({
      code: 'tab_indent',
      message: 'A tab cannot indent YAML.',
      hint: 'Indent with two spaces.',
      path: '',
      at,
    })
    return
  }
  report({
    code: 'yaml_syntax',
    message: error.message.startsWith('Flow ')
      ? 'A `[` or `{` before this line is not closed.'
      : (messages[error.code] ?? `This is not valid YAML: ${error.message}.`),
    hint: hintFor(text, error),
    path: '',
    at,
  })
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

function hintFor(text: string, error: YAMLError): string {
  const lineStart = text.lastIndexOf('\n', error.pos[0] - 1) + 1
  const lineEnd = text.indexOf('\n', error.pos[0])
  const line = text.slice(lineStart, lineEnd === -1 ? text.length : lineEnd)
  // `${{ a ? b : c }}` without quotes is the usual way to get any of these.
  if (/(^|[^"'\w])\$\{\{/.test(line)) return 'Put the whole value with its `${{ … }}` in double quotes.'
  if (/[^$]\{\{/.test(line)) return 'An expression is written "${{ … }}", in double quotes.'
  if (error.message.startsWith('Flow '))
    return 'Add the missing `]` or `}`, or indent the line deeper than the key before it.'
  return hints[error.code] ?? 'Check quotes, brackets and indentation on this line and the one before.'
}
