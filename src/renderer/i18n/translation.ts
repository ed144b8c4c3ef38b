/** The shape of a language's words: every key of the English ones, each with a text of its own. */
export type Translation<Words> = Words extends string
  ? string
  : { readonly [Key in keyof Words]: Translation<Words[Key]> }
