/** What is taken from the palette. */
export type Pick = { kind: 'gate' } | { kind: 'task'; id: number }

const type = 'application/x-headgate-task'

export const dragOf = (pick: Pick): [type: string, data: string] => [
  type,
  pick.kind === 'gate' ? 'gate' : String(pick.id),
]

export const isDrag = (data: DataTransfer) => data.types.includes(type)

/** What was dropped, or null when it came from elsewhere. */
export function dropOf(data: { getData(type: string): string }): Pick | null {
  const text = data.getData(type)
  if (text === 'gate') return { kind: 'gate' }
  return /^[1-9]\d{0,14}$/.test(text) ? { kind: 'task', id: Number(text) } : null
}
