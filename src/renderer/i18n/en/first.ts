/** Words needed before a page loads: the frame, sign-in and components that all pages share. */
export { shell } from './shell.ts'
export { signIn } from './sign-in.ts'
export { ui } from './ui.ts'
