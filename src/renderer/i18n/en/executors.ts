export const executors = {} as const
