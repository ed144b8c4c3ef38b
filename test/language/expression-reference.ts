import { binaryOperators } from '../../src/language/expressions/expression.types.ts'
import { functionGroups } from '../../src/language/expressions/functions.ts'
import { DEFAULT_STEP_BUDGET, MAX_ITEMS, MAX_TEXT } from '../../src/language/expressions/machine.ts'
import { MAX_COALESCINGS, MAX_EXPRESSION_LENGTH, MAX_NESTING } from '../../src/language/expressions/parse-expression.ts'
import { pictureParts } from '../../src/language/expressions/time-picture.ts'

/** docs/expressions.md: what `${{ }}` may hold, out of the code that reads and evaluates it. */
export function expressionReference(): string {
  const count = (value: number): string => value.toLocaleString('en')
  return [
    '# Expressions',
    '',
    '<!-- Written by test/language/expression-reference.test.ts: `UPDATE_DOCS=1 npm test -- test/language/expression-reference`. -->',
    '',
    '`${{ … }}` contains an expression in JSONata (docs.jsonata.org), without features that could run forever. A value that is a single expression keeps the',
    'type of its result; in longer text, the result becomes text. Write `$${{` for the characters `${{`. `map` steps support all of JSONata.',
    '',
    '## Syntax',
    '',
    '| write | for |',
    '|---|---|',
    '| `args.day` · ``args.`odd name` `` | a field; of a list, the field of every item |',
    '| `list[0]` · `list[-1]` · `list[[0..2]]` | items by position; negative positions count from the end |',
    '| `list[ok and size > 10]` | the items for which the condition is true |',
    '| `list.id[]` · `[list.id]` | always a list; without it, a path that finds one value returns that value, and a path that finds none returns nothing |',
    '| `object.*` | all values |',
    '| `$` · `$$` | the current value, the scope |',
    '| `"text"` · `1.5` · `true` · `null` · `[1, 2]` · `[1..5]` · `{"a": 1}` | values |',
    '| `a ? b : c` · `a ?? b` · `a ?: b` | conditions: `??` uses `b` if `a` is nothing, `?:` if `a` is not true |',
    '| `list.{"id": id}` · `list.(price * 2)` | a result for every item |',
    '| `/* … */` | a comment |',
    '',
    `Operators: ${binaryOperators.map((operator) => `\`${operator}\``).join(', ')}. \`&\` joins texts. If one side is nothing, arithmetic and comparisons return nothing.`,
    '',
    'Not supported: function definitions, variables, `~>`, regular expressions, `^(…)`, `**`, `%` (parent), `@`, `#`, grouping `{…}` after a value, and several expressions with `;`.',
    '',
    '## Functions',
    '',
    'You can omit the first argument of functions marked with `·` after a `.`: `name.$uppercase()`, `name.$substring(0, 5)`.',
    '',
    ...functionGroups.flatMap(({ title, functions }) => [
      `### ${title}`,
      '',
      '| function | returns |',
      '|---|---|',
      ...Object.values(functions).map(
        ({ signature, description, contextual }) =>
          `| \`${signature}\`${contextual ? ' ·' : ''} | ${description.replaceAll('|', String.raw`\|`)} |`,
      ),
      '',
    ]),
    `Pictures consist of ${Object.keys(pictureParts)
      .map((part) => `\`[${part}]\``)
      .join(', ')}, in UTC. Write \`[[\` and \`]]\` for literal brackets.`,
    '',
    '## Limits',
    '',
    `- An expression has at most ${count(MAX_EXPRESSION_LENGTH)} characters, ${MAX_NESTING} levels of brackets, and ${MAX_COALESCINGS} levels of \`??\` and \`?:\`.`,
    `- It can take at most ${count(DEFAULT_STEP_BUDGET)} steps: each operation and each item counts as one, and so do every 16 characters of a text that is read or made. This is enough to filter 10,000 records by a few fields.`,
    `- It can produce texts of at most ${count(MAX_TEXT)} characters and lists of at most ${count(MAX_ITEMS)} items.`,
    '- `$now()` and `$millis()` return the run’s logical time. Times without an offset are in UTC.',
    '- `$replace`, `$split`, and `$contains` take texts, not patterns. Pictures and `$toMillis` support only the parts listed above, no other time zones or words.',
    '',
  ].join('\n')
}
