import { Composer, Lexer, Parser, type CST, type Document } from 'yaml'
import type { Report } from '../diagnostic-collector.ts'
import { reportTooManyValues } from './conversion.ts'
import { convertDocument } from './convert-document.ts'
import { MAX_DEPTH, scanTokens } from './scan-tokens.ts'
import { reportSyntaxErrors } from './syntax-errors.ts'
import { checkText } from './text-limits.ts'
import type { YamlNode } from './yaml-tree.ts'
import { msg } from '../messages.ts'

export interface YamlReading {
  /** What could be read; with syntax errors only a part of it. null: nothing at all. */
  root: YamlNode | null
  /** true: the text is well-formed YAML of one document, so that what `root` lacks is really missing. */
  wellFormed: boolean
}

const NOTHING: YamlReading = { root: null, wellFormed: false }

/** Reads one YAML 1.2 document (core schema, no tags, no merge keys). Whatever the text: never throws, time linear in it. */
export function readYaml(text: string, report: Report): YamlReading {
  if (!checkText(text, report)) return NOTHING
  const scanned = scanTokens(new Lexer().lex(text))
  if (!scanned.ok) {
    if (scanned.code === 'too_deep') reportTooDeep(report, scanned.offset)
    else reportTooManyValues(report, { start: scanned.offset, end: scanned.offset + 1 })
    return NOTHING
  }
  const documents = withoutStackTraces(() => compose(text, scanned.tokens))
  const document = documents[0]
  if (!document) {
    report({
      code: 'document_empty',
      message: msg('only_comments'),
      hint: msg('start_with_version'),
      path: '',
      at: { start: 0, end: 0 },
    })
    return NOTHING
  }
  const syntaxIsRight = reportSyntaxErrors(text, documents, scanned.tokens, report)
  const oneDocument = checkSingle(documents, report)
  // After a syntax error what else is found is mostly a consequence of it; only braces without a `$` are often its cause.
  const further: Report = syntaxIsRight
    ? report
    : (finding) => {
        if (finding.code === 'bare_braces') report(finding)
      }
  const converted = convertDocument(text, document, further)
  return { root: converted.root, wellFormed: syntaxIsRight && oneDocument && converted.complete }
}

export function reportTooDeep(report: Report, offset: number): void {
  report({
    code: 'too_deep',
    message: msg('too_deep', { limit: MAX_DEPTH }),
    hint: msg('remove_levels'),
    path: '',
    at: { start: offset, end: offset + 1 },
  })
}

function compose(text: string, tokens: readonly string[]): Document.Parsed[] {
  const parser = new Parser()
  // `failsafe` leaves every scalar as text (this language resolves them itself); the library's own check for duplicate keys
  // compares every key with every other one, so it is off.
  const composer = new Composer({
    schema: 'failsafe',
    merge: false,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
  })
  const documents: Document.Parsed[] = []
  // One token at a time, so that nothing is read of a third document. `false`: a text without content gives no document rather
  // than an empty one.
  for (const document of composer.compose(syntaxTreeOf(parser, tokens), false, text.length)) {
    documents.push(document)
    // That there is a second one is all there is to say about it.
    if (documents.length === 2) break
  }
  return documents
}

function* syntaxTreeOf(parser: Parser, tokens: readonly string[]): Generator<CST.Token> {
  for (const token of tokens) yield* parser.next(token)
  yield* parser.end()
}

/**
 * The parser makes an Error of everything it finds. Their stack traces, which nobody sees, would cost minutes on a text that is
 * nothing but mistakes. Synchronous, so no other code ever runs without traces.
 */
function withoutStackTraces<T>(parse: () => T): T {
  // V8 has this property; elsewhere setting it changes nothing.
  const settings = Error as { stackTraceLimit?: number }
  const before = settings.stackTraceLimit
  settings.stackTraceLimit = 0
  try {
    return parse()
  } finally {
    settings.stackTraceLimit = before
  }
}

function checkSingle(documents: readonly Document.Parsed[], report: Report): boolean {
  const second = documents[1]
  if (!second) return true
  const start = second.range[0]
  report({
    code: 'several_documents',
    message: msg('several_documents'),
    hint: msg('remove_or_save_separately'),
    path: '',
    at: { start, end: start + 1 },
  })
  return false
}
