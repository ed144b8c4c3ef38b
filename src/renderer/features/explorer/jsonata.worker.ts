/** Evaluates one expression beside the window's own thread. */
import { runJsonata } from './jsonata.rules.ts'
import type { JsonataQuestion } from './jsonata.types.ts'

globalThis.addEventListener('message', ({ data }: MessageEvent<JsonataQuestion>) => {
  void runJsonata(data).then((answer) => globalThis.postMessage(answer))
})
