import { useAddress, wholeNumber } from '../use-address.ts'

/** The two records to compare, from the address. */
export function useSides() {
  const [search, set] = useAddress()
  const a = wholeNumber(search.get('a'))
  const b = wholeNumber(search.get('b'))
  return { a, b, swap: () => set({ a: String(b), b: String(a) }) }
}

/** Whether only differences are shown, from the address. */
export function useOnlyDifferences(): [boolean, (only: boolean) => void] {
  const [search, set] = useAddress()
  return [search.get('all') !== '1', (only) => set({ all: only ? null : '1' })]
}
