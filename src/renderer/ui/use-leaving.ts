import { useEffect, useRef, useState } from 'react'
import { type BlockerFunction, NavigationType, createPath, useBlocker } from 'react-router'
import { paths } from '../paths.ts'

interface Leaving {
  /** Somebody wants to leave, and is to be asked. */
  asked: boolean
  go(): void
  stay(): void
}

/** The documentation is looked at beside the work; Back to it is a way out like any other. */
const isHelp: BlockerFunction = ({ nextLocation: { pathname }, historyAction }) =>
  historyAction !== NavigationType.Pop && (pathname === paths.docs() || pathname.startsWith(`${paths.docs()}/`))

/** Asks before a page is left that would lose something. Help takes nothing away: it opens in a window of its own. */
export function useLeaving(leaves: BlockerFunction): Leaving {
  const help = useRef(false)
  const blocker = useBlocker((way) => {
    const blocked = leaves(way)
    help.current = blocked && isHelp(way)
    return blocked
  })
  const [asked, setAsked] = useState(false)
  useEffect(() => {
    if (blocker.state === 'blocked' && help.current) {
      globalThis.open(createPath(blocker.location), '_blank', 'noreferrer')
      blocker.reset()
    } else setAsked(blocker.state === 'blocked')
  }, [blocker])
  const answer = (way: 'proceed' | 'reset') => {
    // The next page may take its time: asked is once.
    setAsked(false)
    blocker[way]?.()
  }
  return { asked, go: () => answer('proceed'), stay: () => answer('reset') }
}
