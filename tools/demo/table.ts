export type Cell = string | number | bigint | null

/** Prints rows under their headers; numbers stand to the right, with thousands apart. */
export function printTable(headers: string[], rows: Cell[][]) {
  const text = (value: Cell) =>
    typeof value === 'number' ? value.toLocaleString('en-US') : value === null ? '–' : value.toString()
  const widths = headers.map((header, i) => Math.max(header.length, ...rows.map((row) => text(row[i] ?? null).length)))
  const isNumeric = headers.map((_, i) => rows.every((row) => row[i] === null || typeof row[i] === 'number'))
  const line = (cells: string[]) =>
    cells
      .map((cell, i) => (isNumeric[i] ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd()
  console.log(line(headers))
  console.log(widths.map((width) => '─'.repeat(width)).join('──'))
  for (const row of rows) console.log(line(row.map((cell) => text(cell))))
}
