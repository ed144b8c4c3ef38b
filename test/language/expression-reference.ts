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
    '`${{ … }}` holds an expression in JSONata (docs.jsonata.org), without anything that could run forever. A text that is one expression keeps the type of',
    'its value; inside a longer text it becomes text. `$${{` stands for the characters themselves. `map` steps take all of JSONata.',
    '',
    '## Syntax',
    '',
    '| write | for |',
    '|---|---|',
    '| `args.day` · ``args.`odd name` `` | a field; of a list, the field of every item |',
    '| `list[0]` · `list[-1]` · `list[[0..2]]` | items by position, from the end where negative |',
    '| `list[ok and size > 10]` | the items for which it is true |',
    '| `list.id[]` · `[list.id]` | always a list: a path that finds one thing gives that thing, one that finds none gives nothing |',
    '| `object.*` | every value |',
    '| `$` · `$$` | the value at hand, the scope |',
    '| `"text"` · `1.5` · `true` · `null` · `[1, 2]` · `[1..5]` · `{"a": 1}` | values |',
    '| `a ? b : c` · `a ?? b` · `a ?: b` | conditions: `??` where `a` is nothing, `?:` where it is not true |',
    '| `list.{"id": id}` · `list.(price * 2)` | something for every item |',
    '| `/* … */` | a comment |',
    '',
    `Operators: ${binaryOperators.map((operator) => `\`${operator}\``).join(', ')}. \`&\` joins texts. With nothing on one side, arithmetic and comparisons give nothing.`,
    '',
    'There are no function definitions, variables, `~>`, regular expressions, `^(…)`, `**`, `%`, `@`, `#`, grouping `{…}` after a value, or several expressions with `;`.',
    '',
    '## Functions',
    '',
    'The first argument of those marked with `·` may be left out after a `.`: `name.$uppercase()`, `name.$substring(0, 5)`.',
    '',
    ...functionGroups.flatMap(({ title, functions }) => [
      `### ${title}`,
      '',
      '| function | gives |',
      '|---|---|',
      ...Object.values(functions).map(
        ({ signature, description, contextual }) =>
          `| \`${signature}\`${contextual ? ' ·' : ''} | ${description.replaceAll('|', String.raw`\|`)} |`,
      ),
      '',
    ]),
    `Pictures hold ${Object.keys(pictureParts)
      .map((part) => `\`[${part}]\``)
      .join(', ')}, in UTC; \`[[\` and \`]]\` are the brackets themselves.`,
    '',
    '## Limits',
    '',
    `- An expression has at most ${count(MAX_EXPRESSION_LENGTH)} characters, ${MAX_NESTING} levels of brackets and ${MAX_COALESCINGS} of \`??\` and \`?:\`.`,
    `- It takes at most ${count(DEFAULT_STEP_BUDGET)} steps: each operation and each item is one. That filters 10,000 records by a few fields.`,
    `- It makes texts of at most ${count(MAX_TEXT)} characters and lists of at most ${count(MAX_ITEMS)} items.`,
    '- `$now()` and `$millis()` give the run’s logical time. Times without an offset are in UTC.',
    '- `$replace`, `$split`, `$contains` take texts, no patterns. Pictures and `$toMillis` have no other parts, time zones or words than those above.',
    '',
  ].join('\n')
}
