export const connectors = {} as const
