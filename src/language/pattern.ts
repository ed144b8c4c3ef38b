import { parsePattern, type CharacterSet, type PatternNode, type PatternProblem } from './pattern-syntax.ts'
import { msg } from './messages.ts'

export type CompiledPattern = { ok: true; matches: (text: string) => boolean } | { ok: false; problem: PatternProblem }

/** Counts are written out, so `(abc){1000}` costs 3,000 of these. */
const MAX_INSTRUCTIONS = 5_000

type Instruction =
  | { kind: 'take'; set: CharacterSet }
  | { kind: 'split'; first: number; second: number }
  | { kind: 'jump'; to: number }
  | { kind: 'accept' }

/**
 * A pattern of the safe subset (see `parsePattern`) that a text must match from start to end. Matching walks all alternatives
 * at once (Thompson's construction): its time is bounded by text length × pattern size, whatever either holds.
 */
export function compilePattern(source: string): CompiledPattern {
  const parsed = parsePattern(source)
  if (!parsed.ok) return parsed
  const program: Instruction[] = []
  if (!emit(parsed.pattern, program)) {
    return {
      ok: false,
      problem: {
        code: 'pattern_invalid',
        message: msg('pattern_too_large'),
        hint: msg('smaller_counts'),
      },
    }
  }
  program.push({ kind: 'accept' })
  return { ok: true, matches: (text) => run(program, text) }
}

/** false: too large. */
function emit(node: PatternNode, program: Instruction[]): boolean {
  if (program.length > MAX_INSTRUCTIONS) return false
  switch (node.kind) {
    case 'set':
      program.push({ kind: 'take', set: node.set })
      return true
    case 'sequence':
      return node.parts.every((part) => emit(part, program))
    case 'choice':
      return emitChoice(node.options, program)
    case 'repeat':
      break
  }
  return emitRepeat(node, program)
}

function emitChoice(options: PatternNode[], program: Instruction[]): boolean {
  const jumps: { kind: 'jump'; to: number }[] = []
  for (const [index, option] of options.entries()) {
    if (index === options.length - 1) {
      if (!emit(option, program)) return false
      break
    }
    const split = { kind: 'split' as const, first: program.length + 1, second: 0 }
    program.push(split)
    if (!emit(option, program)) return false
    const jump = { kind: 'jump' as const, to: 0 }
    program.push(jump)
    jumps.push(jump)
    split.second = program.length
  }
  for (const jump of jumps) jump.to = program.length
  return true
}

function emitRepeat(node: Extract<PatternNode, { kind: 'repeat' }>, program: Instruction[]): boolean {
  for (let count = 0; count < node.min; count++) if (!emit(node.part, program)) return false
  if (node.max === Infinity) {
    const start = program.length
    const split = { kind: 'split' as const, first: start + 1, second: 0 }
    program.push(split)
    if (!emit(node.part, program)) return false
    program.push({ kind: 'jump', to: start })
    split.second = program.length
    return true
  }
  const splits: { kind: 'split'; first: number; second: number }[] = []
  for (let count = node.min; count < node.max; count++) {
    const split = { kind: 'split' as const, first: program.length + 1, second: 0 }
    program.push(split)
    splits.push(split)
    if (!emit(node.part, program)) return false
  }
  for (const split of splits) split.second = program.length
  return program.length <= MAX_INSTRUCTIONS
}

function run(program: Instruction[], text: string): boolean {
  let states = follow(program, [0])
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    const next: number[] = []
    for (const state of states) {
      const instruction = program[state]
      if (instruction?.kind === 'take' && contains(instruction.set, code)) next.push(state + 1)
    }
    if (next.length === 0) return false
    states = follow(program, next)
  }
  return states.some((state) => program[state]?.kind === 'accept')
}

/** Every state reachable without taking a character, each once. */
function follow(program: Instruction[], from: number[]): number[] {
  const seen = new Set(from)
  for (const state of seen) {
    const instruction = program[state]
    if (instruction?.kind === 'jump') seen.add(instruction.to)
    if (instruction?.kind === 'split') {
      seen.add(instruction.first)
      seen.add(instruction.second)
    }
  }
  return [...seen]
}

function contains(set: CharacterSet, code: number): boolean {
  return set.ranges.some(([from, to]) => code >= from && code <= to) !== set.negated
}
