/** How log lines lie in the store: batches of JSON lines, `[at, level, step, message]`, compressed when it pays. */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { LogEntry } from '../../../contract/executor-protocol.ts'
import { type LogLevel, type LogLine, logLevels } from '../../../contract/runs.ts'

export const encodings = { plain: 0, zstd: 1 } as const

/** Smaller chunks are cheaper to keep as they are. */
const compressFromBytes = 4096
/** A page decodes whole chunks: their size bounds the time that the event loop is held. */
const maxChunkLines = 1000
const maxChunkCharacters = 128 * 1024

export interface EncodedChunk {
  line_count: number
  /** Bit n is set when a line of level n is inside. */
  levels: number
  encoding: number
  content: Buffer
}

export const levelBit = (level: LogLevel): number => 1 << logLevels.indexOf(level)
/** The bits of this level and graver ones. */
export const levelsFrom = (level: LogLevel): number =>
  logLevels.slice(logLevels.indexOf(level)).reduce((bits, one) => bits | levelBit(one), 0)

export function encodeChunks(lines: readonly LogEntry[]): EncodedChunk[] {
  const chunks: EncodedChunk[] = []
  let texts: string[] = []
  let characters = 0
  let levels = 0
  const close = () => {
    if (texts.length > 0) chunks.push(encodeChunk(texts, levels))
    texts = []
    characters = 0
    levels = 0
  }
  for (const { at, level, step, message } of lines) {
    const text = JSON.stringify([at, level, step, message])
    if (texts.length >= maxChunkLines || (texts.length > 0 && characters + text.length > maxChunkCharacters)) close()
    texts.push(text)
    characters += text.length
    levels |= levelBit(level)
  }
  close()
  return chunks
}

function encodeChunk(texts: string[], levels: number): EncodedChunk {
  const plain = Buffer.from(texts.join('\n'))
  if (plain.length < compressFromBytes) {
    return { line_count: texts.length, levels, encoding: encodings.plain, content: plain }
  }
  // Level 1: logs of text shrink about tenfold at some 500 MB/s.
  const content = zstdCompressSync(plain, { params: { [constants.ZSTD_c_compressionLevel]: 1 } })
  return { line_count: texts.length, levels, encoding: encodings.zstd, content }
}

/** The JSON lines of a chunk. */
export function chunkText(chunk: Pick<EncodedChunk, 'encoding' | 'content'>): string {
  const plain = chunk.encoding === encodings.zstd ? zstdDecompressSync(chunk.content) : chunk.content
  return plain.toString('utf8')
}

type StoredLine = [at: string, level: LogLevel, step: string | null, message: string]

/** The lines `from` to `to` (line numbers, both inclusive) of a chunk that begins at `firstLine`. */
export function decodeLines(
  text: string,
  chunk: { first_line: number; attempt: number },
  from: number,
  to: number,
): LogLine[] {
  const texts = text.split('\n')
  const start = Math.max(from - chunk.first_line, 0)
  const end = Math.min(to - chunk.first_line + 1, texts.length)
  const lines: LogLine[] = []
  for (let index = start; index < end; index++) {
    // Written by encodeChunks.
    const [at, level, step, message] = JSON.parse(texts[index]!) as StoredLine
    lines.push({ line: chunk.first_line + index, at, level, attempt: chunk.attempt, step, message })
  }
  return lines
}

/**
 * Whether a chunk may hold a message with this text, without parsing it: what looks the same in JSON, in any case. Only a
 * sieve; the lines still have to be looked at.
 */
export function chunkSieve(q: string): (text: string) => boolean {
  const needle = JSON.stringify(q).slice(1, -1).toLowerCase()
  return (text) => text.toLowerCase().includes(needle)
}

export interface LineFilter {
  level?: LogLevel
  /** Case-insensitive part of the message. */
  q?: string
}

export function lineFilter({ level, q }: LineFilter): (line: LogLine) => boolean {
  const least = level ? logLevels.indexOf(level) : 0
  const needle = q?.toLowerCase()
  return (line) =>
    logLevels.indexOf(line.level) >= least && (needle === undefined || line.message.toLowerCase().includes(needle))
}

const levelNames: Record<LogLevel, string> = { debug: 'DEBUG', info: 'INFO ', warn: 'WARN ', error: 'ERROR' }

/** A line as the download has it: `2026-03-01T08:30:00.000Z INFO  [step] message`. */
export const lineText = ({ at, level, step, message }: LogLine): string =>
  `${at} ${levelNames[level]} ${step === null ? '' : `[${step}] `}${message}\n`
