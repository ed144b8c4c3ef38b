import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { hasErrors, type Diagnostic } from '../language/diagnostics.ts'
import { parseTask, type ParsedTask } from '../language/task/parse-task.ts'
import type { TaskDocument } from '../language/task/kinds/task-document.types.ts'
import { InputError, type Output } from './output.ts'

/** A document on the command line. */
export interface NamedText {
  /** As written, or `standard input`. */
  name: string
  text: string
}

const messages: Record<string, string> = {
  ENOENT: 'doesn’t exist',
  EISDIR: 'is a folder',
  EACCES: 'can’t be read: permission denied',
}

export async function readDocument(file: string): Promise<NamedText> {
  if (file === '-') return { name: 'standard input', text: await text(process.stdin) }
  try {
    return { name: file, text: await readFile(file, 'utf8') }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '' // of the file system
    throw new InputError(`${file} ${messages[code] ?? `can’t be read: ${String(error)}`}`)
  }
}

/** `tasks/a.yaml:3:5: error unknown_key: …`, as editors and terminals link it, with the hint below. */
export function printDiagnostics(
  name: string,
  diagnostics: readonly Diagnostic[],
  output: (line: string) => void,
): void {
  for (const { line, column, severity, code, message, hint } of diagnostics) {
    output(`${name}:${line}:${column}: ${severity} ${code}: ${message}`)
    if (hint !== undefined) output(`  ${hint}`)
  }
}

/** Something is wrong in a document, and has been told. */
export class DocumentError extends Error {}

export interface ReadTask extends ParsedTask {
  task: TaskDocument
  yaml: string
}

/** A task that is to be run. Errors are told, warnings too. */
export async function readTask(file: string, output: Output, json: boolean): Promise<ReadTask> {
  const { name, text: yaml } = await readDocument(file)
  const parsed = parseTask(yaml)
  stopAtErrors(name, parsed.diagnostics, output, json)
  if (!parsed.task) throw new Error('A task without errors did not read')
  return { ...parsed, task: parsed.task, yaml }
}

/** The same JSON as of `validate`. */
export function stopAtErrors(name: string, diagnostics: readonly Diagnostic[], output: Output, json: boolean): void {
  printDiagnostics(name, diagnostics, output.err)
  if (!hasErrors(diagnostics)) return
  if (json) output.out(JSON.stringify([{ file: name, valid: false, diagnostics }], null, 2))
  throw new DocumentError()
}
