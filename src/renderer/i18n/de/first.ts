/** As in English: words of whatever is there before a page is. */
export { shell } from './shell.ts'
export { signIn } from './sign-in.ts'
export { ui } from './ui.ts'
