import { useIsFetching } from '@tanstack/react-query'
import { useEffect } from 'react'

/** Without requests for so long, the page is drawn. */
const stillMs = 400

/** The letters of the window, once what the page is opened for is there. Of their files, those that its texts need. */
export function useInter(): void {
  const isBusy = useIsFetching() > 0
  useEffect(() => {
    if (isBusy) return undefined
    const timer = setTimeout(() => void import('@fontsource-variable/inter/wght.css'), stillMs)
    return () => clearTimeout(timer)
  }, [isBusy])
}
