export const serviceFolder: string
