import { useRef, useState } from 'react'

export interface PagedOption {
  value: string
  label: string
}

/** Stands at the end of a list that has more pages. */
export const moreOptions = '\u0000more'

/** Entries of a select whose options come page by page: what is chosen stays, with its label, whatever is searched for. */
export function usePagedOptions(
  chosen: readonly string[],
  found: readonly PagedOption[],
  selected: readonly PagedOption[],
  more: string | null,
  /** Labels that were seen before, such as those of options that are no longer there. */
  kept: Readonly<Record<string, string>> = {},
) {
  const [labels, setLabels] = useState<Readonly<Record<string, string>>>({})
  const known = new Map<string, string>(Object.entries({ ...kept, ...labels }))
  for (const option of [...selected, ...found]) known.set(option.value, option.label)
  const labelOf = (value: string) => known.get(value) ?? value
  return {
    data: [
      ...[...new Set([...chosen, ...found.map(({ value }) => value)])].map((value) => ({
        value,
        label: labelOf(value),
      })),
      ...(more === null ? [] : [{ value: moreOptions, label: more }]),
    ],
    labelOf,
    remember: (values: readonly string[]) =>
      setLabels((now) => ({ ...now, ...Object.fromEntries(values.map((value) => [value, labelOf(value)])) })),
    /** What was typed is looked for at the server; a chosen label is not. */
    searchFor: (text: string) => (chosen.some((value) => labelOf(value) === text) ? '' : text),
  }
}

/** A list of options that stays open while its next page is fetched: choosing that entry is no choice. */
export function useStaysOpen() {
  const [dropdownOpened, setOpened] = useState(false)
  const stays = useRef(false)
  return {
    stay: () => {
      stays.current = true
    },
    dropdown: {
      dropdownOpened,
      onDropdownOpen: () => setOpened(true),
      onDropdownClose: () => {
        setOpened(stays.current)
        stays.current = false
      },
    },
  }
}
