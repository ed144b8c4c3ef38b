import { type ComponentType, type LazyExoticComponent, lazy } from 'react'

const againAfterMs = 2_000

/** Gives what `load` gives, however often it has to be asked: a server that is away for a while is not the end of the page. */
export async function untilLoaded<T>(load: () => Promise<T>, waitMs = againAfterMs): Promise<T> {
  for (;;) {
    try {
      return await load()
    } catch {
      // The banner says that the server is away; the part appears when it is back.
      await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  }
}

/** A part of the window that is loaded when it is first shown. Stands in a Suspense boundary. */
// The props are those of the component that is loaded.
// oxlint-disable-next-line typescript/no-explicit-any
export const lazyPart = <T extends ComponentType<any>>(load: () => Promise<T>): LazyExoticComponent<T> =>
  lazy(() => untilLoaded(async () => ({ default: await load() })))
