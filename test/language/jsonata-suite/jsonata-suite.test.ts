import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { expect, it } from 'vitest'
import { evaluateExpression } from '../../../src/language/expressions/evaluate.ts'
import { parseExpression } from '../../../src/language/expressions/parse-expression.ts'

interface Case {
  name: string
  expr: string
  data?: unknown
  dataset?: string
  result?: unknown
  nothing?: true
  fails?: string
}

const lines = readFileSync(new URL('cases.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  // The file's own format: a dataset or a case.
  .map((line) => JSON.parse(line) as Case & { data?: unknown })
const datasets = new Map(lines.filter((line) => line.name === undefined).map(({ dataset, data }) => [dataset, data]))
const cases = lines.filter((line) => line.name !== undefined)

/** `agrees`, the reason why the profile refuses it, or what differs. */
function judge({ expr, dataset, fails, nothing, result: wanted, ...rest }: Case): string {
  const data = 'data' in rest ? rest.data : datasets.get(dataset)
  const parsed = parseExpression(expr)
  if (!parsed.ok) return fails === undefined ? reasonOf(parsed.problem.code, parsed.problem.message.message) : 'agrees'
  // The suite's scopes are any JSON; what is no object has no fields.
  const result = evaluateExpression(parsed.expression, data as Record<string, unknown>, { now: '2024-03-05T06:07:08Z' })
  if (!result.ok && result.problem.message.startsWith('it takes too many steps')) return 'limit: steps'
  if (fails !== undefined) return result.ok ? `gives ${JSON.stringify(result.value)}` : 'agrees'
  if (!result.ok) return `fails: ${result.problem.message}`
  const same = isDeepStrictEqual(result.value, nothing ? undefined : wanted)
  return same ? 'agrees' : `gives ${JSON.stringify(result.value)}`
}

function reasonOf(code: string, message: string): string {
  if (code === 'expression_forbidden')
    return message.replace(/ can’t be used in an expression\.$/, '').replace(/`\$\w+`/, '`$name`')
  if (code === 'unknown_function') return `function: ${/`(\$\w+)`/.exec(message)?.[1]}`
  return message.startsWith('The picture part')
    ? 'picture: another part'
    : `arguments: ${/`(\$\w+)\(/.exec(message)?.[1]}`
}

it('every case of the suite of JSONata agrees or is refused, with its reason', () => {
  const counts: Record<string, number> = {}
  const differing: string[] = []
  for (const one of cases) {
    const verdict = judge(one)
    if (/^(gives|fails)/.test(verdict)) differing.push(`${one.name}: ${one.expr} ${verdict}`)
    else counts[verdict] = (counts[verdict] ?? 0) + 1
  }
  expect(differing).toEqual([])
  expect(counts).toEqual({
    'A call of something other than a function': 35,
    'A function definition': 8,
    'A regular expression': 35,
    'A sequence of expressions `(…; …)`': 102,
    'A variable assignment `:=`': 2,
    'A variable binding `@$` or `#$`': 60,
    'Grouping `{…}` after a value': 22,
    'The descendant operator `**`': 18,
    'The function chain `~>`': 43,
    'The order-by operator `^(…)`': 17,
    'The variable `$name`': 16,
    agrees: 1020,
    'arguments: $fromMillis': 10,
    'arguments: $toMillis': 33,
    'arguments: $trim': 1,
    'function: $assert': 2,
    'function: $base64decode': 2,
    'function: $base64encode': 2,
    'function: $decodeUrl': 2,
    'function: $decodeUrlComponent': 2,
    'function: $each': 4,
    'function: $encodeUrl': 2,
    'function: $error': 3,
    'function: $eval': 10,
    'function: $filter': 3,
    'function: $formatInteger': 63,
    'function: $formatNumber': 27,
    'function: $map': 8,
    'function: $parseInteger': 60,
    'function: $reduce': 2,
    'function: $shuffle': 4,
    'function: $sift': 4,
    'function: $single': 4,
    'function: $spread': 4,
    'function: $zip': 6,
    'limit: steps': 1,
    'picture: another part': 49,
  })
})
