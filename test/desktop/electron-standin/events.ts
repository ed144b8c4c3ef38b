/** An event as Electron's emitters pass it first. */
export interface StandInEvent {
  defaultPrevented: boolean
  preventDefault(): void
}

export function newEvent<T extends object>(fields?: T): StandInEvent & T {
  const event = {
    ...fields,
    defaultPrevented: false,
    preventDefault() {
      event.defaultPrevented = true
    },
  } as StandInEvent & T
  return event
}
