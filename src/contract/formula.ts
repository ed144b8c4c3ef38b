import Type from 'typebox'

export const FormulaGuard = Type.Boolean({
  default: false,
  description:
    "In CSV, puts `'` before text that a spreadsheet would run as a formula. Numbers such as `-5` stay as they are.",
})

/** Whether a spreadsheet would run a text of a CSV file as a formula. `-5` is a number. */
export function isFormula(text: string): boolean {
  return /^[=+\-@\t\r]/.test(text) && !/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$|^-Infinity$/.test(text)
}
