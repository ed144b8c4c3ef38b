import { Composer, Lexer, Parser, type Document, type ParsedNode } from 'yaml'
import type { Report } from '../diagnostic-collector.ts'
import { convertDocument } from './convert-document.ts'
import { findTooDeep, MAX_DEPTH } from './depth.ts'
import { reportSyntaxErrors } from './syntax-errors.ts'
import { checkText } from './text-limits.ts'
import type { YamlNode } from './yaml-tree.ts'

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
  const tokens = [...new Lexer().lex(text)]
  const tooDeep = findTooDeep(tokens)
  if (tooDeep !== null) {
    reportTooDeep(report, tooDeep)
    return NOTHING
  }
  const documents = compose(text, tokens)
  const document = documents[0]
  if (!document) {
    report({
      code: 'document_empty',
      message: 'The document holds only comments.',
      hint: 'Start with `etl: 1`.',
      path: '',
      at: { start: 0, end: 0 },
    })
    return NOTHING
  }
  const syntaxIsRight = reportSyntaxErrors(text, documents, report)
  const oneDocument = checkSingle(documents, report)
  const converted = convertDocument(text, document, report)
  return { root: converted.root, wellFormed: syntaxIsRight && oneDocument && converted.complete }
}

export function reportTooDeep(report: Report, offset: number): void {
  report({
    code: 'too_deep',
    message: `Maps and lists are nested more than ${MAX_DEPTH} levels deep here, so the text was not read.`,
    hint: 'Take levels out; no part of the language needs more than ten.',
    path: '',
    at: { start: offset, end: offset + 1 },
  })
}

function compose(text: string, tokens: readonly string[]): Document.Parsed<ParsedNode>[] {
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
  const cst = [...tokens.flatMap((token) => [...parser.next(token)]), ...parser.end()]
  // `false`: a text without content gives no document rather than an empty one. The type of `compose` does not say Parsed.
  return [...composer.compose(cst, false, text.length)] as Document.Parsed<ParsedNode>[]
}

function checkSingle(documents: readonly Document.Parsed<ParsedNode>[], report: Report): boolean {
  const second = documents[1]
  if (!second) return true
  const start = second.range[0]
  report({
    code: 'several_documents',
    message: 'A second document starts here; one text holds one document.',
    hint: 'Remove the `---` and what follows it, or save it as a document of its own.',
    path: '',
    at: { start, end: start + 1 },
  })
  return false
}
