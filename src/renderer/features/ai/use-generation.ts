import { useQueryClient } from '@tanstack/react-query'
import i18next from 'i18next'
import { useEffect, useRef, useState } from 'react'
import type { AiEvent, explainRun, generateQuery } from '../../../contract/ai.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import { ApiFailure, openStream } from '../../api/client.ts'
import { translateMessage } from '../../i18n/translate.ts'
import type { AiOf } from './ai-kinds.ts'
import { linesOf } from '../exchange/import-stream.ts'

type Of<E extends AiEvent['event']> = Extract<AiEvent, { event: E }>

export interface Generation {
  busy: boolean
  /** From 1; 0: nothing has come. */
  attempt: number
  /** What the model has said in this attempt. */
  answer: string
  preview: Of<'preview'> | null
  proposal: Of<'proposal'> | null
  query: Of<'query'> | null
  explanation: Of<'explanation'> | null
  usage: Of<'usage'> | null
  /** Its message is in the language of the window, also when that changes. */
  error: { readonly message: string } | null
}
const idle: Generation = {
  busy: false,
  attempt: 0,
  answer: '',
  preview: null,
  proposal: null,
  query: null,
  explanation: null,
  usage: null,
  error: null,
}

/** An answer without its end: the server is away, or who asked has no right to it any more. */
const brokenOff = {
  get message() {
    return i18next.t('progress.brokenOff', { ns: 'ai' })
  },
}

/** Asks for a proposal or an explanation and keeps what has come of it. Whoever leaves the page cancels it. */
export function useGeneration<O extends AiOf['generate'] | typeof explainRun | typeof generateQuery>(operation: O) {
  const client = useQueryClient()
  const [state, setState] = useState(idle)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  const take = (event: AiEvent) =>
    setState((before): Generation => {
      switch (event.event) {
        case 'delta':
          return event.attempt === before.attempt
            ? { ...before, answer: before.answer + event.text }
            : { ...before, attempt: event.attempt, answer: event.text }
        case 'preview':
          return { ...before, preview: event }
        case 'proposal':
          return { ...before, proposal: event }
        case 'query':
          return { ...before, query: event }
        case 'explanation':
          return { ...before, explanation: event }
        case 'usage':
          // A provider that refused has used nothing.
          return { ...before, usage: event.input_tokens + event.output_tokens > 0 ? event : null }
        case 'error':
          return {
            ...before,
            error: {
              get message() {
                return translateMessage(event)
              },
            },
          }
        case 'diagnostics':
          return before
      }
    })

  async function start(body: BodyOf<O>): Promise<void> {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    setState({ ...idle, busy: true })
    try {
      const response = await openStream(operation, { body, signal: controller.signal })
      for await (const line of linesOf(response.body ?? new ReadableStream())) {
        if (!line.startsWith('data: ')) continue
        // The server shapes its events by the contract.
        const event = JSON.parse(line.slice(6)) as AiEvent
        take(event)
        // The last one, whatever came before.
        if (event.event === 'usage') return
      }
      setState((before) => ({ ...before, error: brokenOff }))
    } catch (error) {
      if (controller.signal.aborted) return
      // Of a connection that was cut, a browser says nothing that helps.
      setState((before) => ({ ...before, error: error instanceof ApiFailure ? error : brokenOff }))
    } finally {
      if (running.current === controller) {
        running.current = null
        setState((before) => ({ ...before, busy: false }))
      }
      void client.invalidateQueries({ queryKey: ['getAiUsage'] })
    }
  }
  const cancel = () => {
    running.current?.abort()
    running.current = null
    setState((before) => ({ ...before, busy: false }))
  }
  return { ...state, start, cancel, forget: () => setState(idle) }
}
