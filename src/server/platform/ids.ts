import { randomBytes, randomUUID } from 'node:crypto'

/** Sources of randomness. */
export interface Ids {
  /** base64url; 32 bytes unless told. */
  token(bytes?: number): string
  hex(bytes: number): string
  uuid(): string
}

export const randomIds: Ids = {
  token: (bytes = 32) => randomBytes(bytes).toString('base64url'),
  hex: (bytes) => randomBytes(bytes).toString('hex'),
  uuid: () => randomUUID(),
}
