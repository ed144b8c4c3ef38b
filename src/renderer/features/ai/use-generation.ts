import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { AiEvent, explainRun, generateQuery } from '../../../contract/ai.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import { openStream } from '../../api/client.ts'
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
  error: string | null
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
          return { ...before, error: translateMessage(event) }
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
        // The server shapes its events by the contract.
        if (line.startsWith('data: ')) take(JSON.parse(line.slice(6)) as AiEvent)
      }
    } catch (error) {
      if (controller.signal.aborted) return
      setState((before) => ({ ...before, error: error instanceof Error ? error.message : String(error) }))
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
