import { useMediaQuery } from '@mantine/hooks'

/** Whether lines of a log would be cut beside a list: panes stand above each other then. */
export const useNarrow = (): boolean => useMediaQuery('(max-width: 1100px)', false, { getInitialValueInEffect: false })
