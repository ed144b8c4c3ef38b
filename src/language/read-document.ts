import { collectDiagnostics, type Report } from './diagnostic-collector.ts'
import { hasErrors, type Diagnostic } from './diagnostics.ts'
import type { ReadContext } from './shape/shape.types.ts'
import { readYaml } from './yaml/read-yaml.ts'
import { entryOf, joinPath, type YamlMap, type YamlNode } from './yaml/yaml-tree.ts'

/**
 * Reads a text as one of our documents. `readRoot` gets the YAML and a context in which nothing is declared. `complete`: no finding
 * is an error.
 */
export function readDocument<Read>(
  text: string,
  nothing: Read,
  readRoot: (root: YamlNode, empty: ReadContext) => Read,
): { read: Read; root: YamlNode | null; diagnostics: Diagnostic[]; complete: boolean } {
  const collector = collectDiagnostics(text)
  const { root, wellFormed } = readYaml(text, collector.report)
  // After a syntax error what follows would be guesses; the document is still read, for what is shown next to the text.
  const report: Report = wellFormed ? collector.report : () => {}
  const read = root === null ? nothing : readRoot(root, emptyContext(text, report))
  const diagnostics = collector.list()
  return { read, root, diagnostics, complete: wellFormed && !hasErrors(diagnostics) }
}

function emptyContext(text: string, report: Report): ReadContext {
  return {
    text,
    report,
    scope: {},
    elsewhere: {},
    outputScope: {},
    binds: [],
    params: new Set(),
    dialect: 'duckdb',
    used: { slots: new Set(), arguments: new Set(), state: false },
    slots: new Map(),
    inputs: [],
    hasCursor: false,
  }
}

/** Reports each name of a section that nothing uses. */
export function reportUnused(
  root: YamlMap,
  section: string,
  used: ReadonlySet<string>,
  report: Report,
  finding: (name: string) => Pick<Parameters<Report>[0], 'code' | 'message' | 'hint'>,
): void {
  const node = entryOf(root, section)?.value
  for (const { key, keySpan } of node?.kind === 'map' ? node.entries : []) {
    if (!used.has(key)) report({ ...finding(key), path: joinPath(section, key), at: keySpan })
  }
}
