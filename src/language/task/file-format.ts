import { shortened } from '../shortened.ts'
import { choice } from '../shape/scalars.ts'
import type { ReadContext } from '../shape/shape.types.ts'
import type { Span } from '../yaml/yaml-tree.ts'
import { formatOfPath, knownExtensions } from './file-paths.ts'
import type { FileFormat } from './task.types.ts'
import { msg } from '../messages.ts'

export const fileFormat = choice('File format. By default taken from the file extension.', {
  csv: 'Text, one record per line (also TSV).',
  jsonl: 'One JSON object per line.',
  json: 'One JSON document with a list of records.',
  parquet: 'Columnar, typed, and compressed.',
  xlsx: 'One sheet of an Excel workbook.',
})

/** The format written, else that of the extension, else a diagnostic. */
export function decideFormat(
  written: FileFormat | undefined,
  path: string,
  place: { path: string; at: Span },
  context: ReadContext,
): FileFormat | null {
  const format = written ?? formatOfPath(path).format
  if (format === null) {
    context.report({
      code: 'format_unknown',
      message: msg('format_unknown', { path: shortened(path, 80) }),
      hint: msg('add_format', { extensions: knownExtensions }),
      ...place,
    })
  }
  return format
}

/** An option that only another format has. */
export function reportNotApplicable(
  context: ReadContext,
  option: string,
  format: string,
  only: string,
  path: string,
  at: Span,
): void {
  context.report({
    code: 'option_not_applicable',
    message: msg('option_of_other_format', { option, format, only }),
    hint: msg('remove_or_change_format'),
    path,
    at,
  })
}
