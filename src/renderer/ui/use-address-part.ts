import { useCallback } from 'react'
import { useAddress } from './use-address.ts'

/** One choice that the address holds under its name; the usual one is not written. */
export function useAddressPart<T extends string>(name: string, values: readonly T[], usual: T): [T, (next: T) => void] {
  const [address, change] = useAddress()
  const written = address.get(name)
  const choose = useCallback((next: T) => change({ [name]: next === usual ? null : next }), [change, name, usual])
  return [values.find((value) => value === written) ?? usual, choose]
}

/** The chosen record, as the address holds it; null: none. */
export function useAddressChoice(name: string): [string | null, (next: string | number | null) => void] {
  const [address, change] = useAddress()
  const choose = useCallback(
    (next: string | number | null) => change({ [name]: next === null ? null : String(next) }),
    [change, name],
  )
  return [address.get(name), choose]
}
