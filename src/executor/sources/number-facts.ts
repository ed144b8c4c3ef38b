/** What the numbers of a column need, all of them seen: no digit of any is to be lost. */
export class NumberFacts {
  /** Of plain decimal notation, before and behind the point. */
  #whole = 0
  #places = 0
  #integers = true
  /** Every one is a 64-bit integer. */
  #int64 = true
  /** Floating point gives every one back as it was written, but for zeros at its end. */
  #doubles = true

  /** An integer of so few digits that everything holds it, or a number with so few digits that floating point does. */
  short(whole: number, places: number): void {
    if (whole > this.#whole) this.#whole = whole
    if (places === 0) return
    if (places > this.#places) this.#places = places
    this.#integers = false
  }

  /** As JSON writes it. */
  note(written: string): void {
    const { whole, digits, places } = plainForm(written)
    this.#whole = Math.max(this.#whole, whole)
    this.#places = Math.max(this.#places, places)
    if (/^-?\d+$/.test(written)) {
      // Zeros at the end count: 100000000000000000000 is no 64-bit integer.
      if (whole > 15) {
        const value = BigInt(written)
        this.#int64 &&= BigInt.asIntN(64, value) === value
        this.#doubles &&= BigInt(Number(written)) === value
      }
      return
    }
    this.#integers = false
    this.#doubles &&= isHeld(written, digits)
  }

  /** DuckDB's type; VARCHAR where only text holds them all. */
  type(): string {
    if (this.#integers && this.#int64) return 'BIGINT'
    if (!this.#integers && this.#doubles) return 'DOUBLE'
    return this.#whole + this.#places <= 38 ? `DECIMAL(38,${this.#places})` : 'VARCHAR'
  }
}

/** A number without an exponent: digits before and behind the point. `digits`: the significant ones. */
export function plainForm(written: string): { whole: number; digits: string; places: number } {
  const [, before = '', behind = '', exponent = '0'] = /^[+-]?(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(written) ?? []
  const shift = Number(exponent)
  const digits = (before + behind).replace(/^0+|0+$/g, '')
  if (digits === '') return { whole: 0, digits, places: behind.length }
  const first = before.length - /^0*/.exec(before + behind)![0].length
  const whole = Math.max(0, first + shift)
  return { whole, digits, places: Math.max(0, behind.length - shift) }
}

/** Whether floating point has every digit of a number as JSON writes it. */
export function isHeld(written: string, digits: string = plainForm(written).digits): boolean {
  const value = Number(written)
  if (!Number.isFinite(value)) return false
  if (digits === '' || (digits.length <= 15 && Math.abs(value) >= 1e-300)) return true
  return value !== 0 && plainForm(String(value)).digits === digits
}
