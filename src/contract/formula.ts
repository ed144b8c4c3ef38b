import Type from 'typebox'

export const FormulaGuard = Type.Boolean({
  default: false,
  description:
    "In CSV, puts `'` before text that a spreadsheet would run as a formula, also where it would split the text: after `;`, `,`, and the end of a line. Numbers such as `-5` stay as they are.",
})

/** Whether a spreadsheet would run a text of a CSV file as a formula. `-5` is a number. Some take the wide characters of East Asia, too. */
function isFormula(text: string): boolean {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text) && !/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$|^-Infinity$/.test(text)
}

/** Where a spreadsheet begins a new cell, and what would be a formula there. */
const later = /([;,\r\n])([=+\-@＝＋－＠][^;,\r\n]*)/g

/**
 * A text with `'` before what a spreadsheet would run as a formula. Spreadsheets of many countries split at semicolons, whatever the file
 * says, and others at commas: quotes don't help there. After a comma, numbers of lists such as `[1,-5]` stay.
 */
export function guarded(text: string, delimiter = ','): string {
  const safe = text.replace(later, (found, before: string, part: string) => {
    const runs = before === ',' ? !/^[+-][\d.]/.test(part) : isFormula(part)
    return before !== delimiter && runs ? `${before}'${part}` : found
  })
  return isFormula(text) ? `'${safe}` : safe
}
