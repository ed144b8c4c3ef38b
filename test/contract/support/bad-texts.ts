// Texts that nobody means, and somebody sends.

/** Each with a number that makes it another every time: names are unique. */
export const badTexts: Readonly<Record<string, (n: number) => string>> = {
  empty: () => '',
  blank: () => ' \t ',
  'as long as a body may be': (n) => `${n}${'x'.repeat(1_048_576)}`,
  'very long': (n) => `${n}${'x'.repeat(900_000)}`,
  NUL: (n) => `a\u0000b${n}`,
  'a lone surrogate': (n) => `a\ud800b${n}`,
  'right to left': (n) => `\u202eמחק${n}`,
  'a homoglyph': (n) => `аdmіn${n}`,
  'characters that normalisation would change': (n) => `e\u0301\ufb01${n}`,
  HTML: (n) => `<img src=x onerror=alert(${n})>`,
  SQL: (n) => `'); DROP TABLE tasks; -- ${n}`,
  'pieces of a path': (n) => `../../etc/passwd${n}`,
  'a number': (n) => String(n),
  'a very long number': (n) => `${'9'.repeat(400)}${n}`,
}
