const widest = 40
const controls = /[\u0000-\u001f\u007f-\u009f]/g // oxlint-disable-line no-control-regex -- they would move the cursor of the terminal

/** Rows as a table for the terminal; what does not fit into its width is left out, and said. */
export function drawTable(
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
  width: number | null,
): string {
  const cells = [columns.map(shown), ...rows.map((row) => columns.map((_, index) => shown(row[index])))]
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => widthOf(row[index] ?? ''))))
  const fitting = fit(widths, width)
  const numeric = columns.map((_, index) => rows.length > 0 && rows.every((row) => isNumber(row[index])))
  const line = (row: readonly string[]): string =>
    row
      .slice(0, fitting)
      .map((cell, index) => pad(cell, widths[index] ?? 0, numeric[index] === true))
      .join('  ')
      .trimEnd()
  const [head = [], ...body] = cells
  const rule = widths.slice(0, fitting).map((each) => '─'.repeat(each))
  const left = columns.slice(fitting)
  return [
    line(head),
    rule.join('  '),
    ...body.map(line),
    ...(left.length === 0 ? [] : [`and ${left.length} more columns: ${left.map(shown).join(', ')}`]),
  ].join('\n')
}

function fit(widths: readonly number[], width: number | null): number {
  if (width === null) return widths.length
  let used = -2
  const count = widths.findIndex((each) => (used += each + 2) > width)
  return count === -1 ? widths.length : Math.max(1, count)
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const line = text.replace(controls, (control) => (control === '\n' ? '↵' : '�'))
  const characters = [...line]
  return characters.length > widest ? `${characters.slice(0, widest - 1).join('')}…` : line
}

const isNumber = (value: unknown): boolean => value === null || typeof value === 'number'
/** Of characters beyond Latin, many take two places in a terminal; an estimate that keeps columns apart. */
const widthOf = (text: string): number =>
  [...text].reduce(
    (sum, character) =>
      sum +
      (/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{1faff}]/u.test(
        character,
      )
        ? 2
        : 1),
    0,
  )

function pad(text: string, width: number, right: boolean): string {
  const blanks = ' '.repeat(Math.max(0, width - widthOf(text)))
  return right ? blanks + text : text + blanks
}
