import {
  type ComponentType,
  type LazyExoticComponent,
  type ReactNode,
  createElement,
  lazy,
  useEffect,
  useState,
} from 'react'
import { getHealth } from '../../contract/health.ts'

const againAfterMs = 2_000

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Gives what `load` gives, however often it has to be asked: a server that is away for a while is not the end of the page. */
export async function untilLoaded<T>(load: () => Promise<T>, waitMs = againAfterMs): Promise<T> {
  for (;;) {
    try {
      return await load()
    } catch {
      // The banner says that the server is away; the part appears when it is back.
      await pause(waitMs)
    }
  }
}

const serverAnswers = () =>
  fetch(getHealth.path, { cache: 'no-store' }).then(
    () => true,
    () => false,
  )

/**
 * The same for a page, which may also be gone for good: a newer server has other files. Then its failure is told, for a reload
 * helps; while the server is away it does not.
 */
export async function whileAway<T>(load: () => Promise<T>, answers = serverAnswers, waitMs = againAfterMs): Promise<T> {
  for (;;) {
    try {
      return await load()
    } catch (error) {
      if (await answers()) {
        // It may have come back between the two questions.
        return await load().catch(() => {
          throw error
        })
      }
      await pause(waitMs)
    }
  }
}

/** A part of the window that is loaded when it is first shown. Stands in a Suspense boundary. */
// The props are those of the component that is loaded.
// oxlint-disable-next-line typescript/no-explicit-any
export const lazyPart = <T extends ComponentType<any>>(load: () => Promise<T>): LazyExoticComponent<T> =>
  lazy(() => untilLoaded(async () => ({ default: await load() })))

/**
 * The same without a Suspense boundary, for what appears piece by piece anyway. React holds back what a boundary reveals for 300 ms,
 * so that pages don’t flicker.
 */
export function latePart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  awaited: ReactNode = null,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined
  return function LatePart(props) {
    const [part, setPart] = useState(() => loaded)
    useEffect(() => {
      if (part) return
      let gone = false
      const show = async () => {
        const component = await untilLoaded(load)
        loaded = component
        if (!gone) setPart(() => component)
      }
      void show()
      return () => {
        gone = true
      }
    }, [part])
    return part ? createElement(part, props) : awaited
  }
}
