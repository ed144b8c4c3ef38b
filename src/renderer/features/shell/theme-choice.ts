import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core'
import { useCallback } from 'react'
import { desktopBridge } from '../../desktop-bridge.ts'

/** Sets the theme of the page and, in the desktop's window, of its frame and menus. */
export function useTheme(): (scheme: MantineColorScheme) => void {
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: false })
  return useCallback(
    (scheme) => {
      setColorScheme(scheme)
      void desktopBridge()?.setTheme(scheme === 'auto' ? 'system' : scheme)
    },
    [setColorScheme],
  )
}
