/** Words of whatever is there before a page is: the frame, the sign-in, parts that all pages use. */
export { shell } from './shell.ts'
export { signIn } from './sign-in.ts'
export { ui } from './ui.ts'
