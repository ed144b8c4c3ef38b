/** The answer of an import, line by line as it comes. */
import type { ImportResultLine, ImportSummaryLine } from '../../../contract/exchange.ts'

export type ImportLine = ImportResultLine | ImportSummaryLine

/** Lines of a body, without their ends; a last one without an end counts. */
export async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  let rest = ''
  try {
    for (;;) {
      // A stream is read in its order.
      const { done, value } = await reader.read()
      if (done) break
      const lines = (rest + value).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
  } finally {
    reader.releaseLock()
  }
  if (rest) yield rest
}

export async function* importLines(response: Response): AsyncGenerator<ImportLine> {
  if (!response.body) return
  for await (const line of linesOf(response.body)) {
    // The server shapes its lines by the contract's schemas.
    if (line.trim()) yield JSON.parse(line) as ImportLine
  }
}
