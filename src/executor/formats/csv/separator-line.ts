import type { FilesSource } from '../../../language/task/sources/source.types.ts'
import { beginningOf } from '../../sources/files-marks.ts'

/** Excel's first line `sep=;` names the delimiter, and is neither a header nor a row. It counts where all files have the same one. */
export async function withSeparatorLine(source: FilesSource, files: readonly string[]): Promise<FilesSource> {
  const { csv } = source
  const [first, ...others] = files
  if (!csv || csv.skip_lines > 0 || first === undefined) return source
  const delimiter = await separatorOf(first)
  if (delimiter === undefined) return source
  for (const file of others) if ((await separatorOf(file)) !== delimiter) return source
  return { ...source, csv: { ...csv, delimiter, skip_lines: 1 } }
}

/** Behind a byte order mark, too; its bytes are read as characters. */
const separatorOf = async (file: string): Promise<string | undefined> =>
  /^(?:\u00ef\u00bb\u00bf)?sep=([^\r\n])\r?(?:\n|$)/i.exec(await beginningOf(file))?.[1]
