/** One figure of a benchmark. */
export interface BenchResult {
  name: string
  /** Rounded to what is meaningful. */
  value: number
  unit: string
  /** The bar in words: '≤ 8 ms'. */
  bar?: string
  passed?: boolean
  note?: string
}
