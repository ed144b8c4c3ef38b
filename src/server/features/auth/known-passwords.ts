/** Those that leaked most often, in lower case. Loaded when somebody chooses a password: the list takes memory. */
export async function loadKnownPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'])
}
