export const pythonProgram: string
export function ensurePython(): void
