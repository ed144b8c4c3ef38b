/** As in English: words of the frame, or of the pages. */
export { shell } from '../en/shell.ts'
export { signIn } from '../en/sign-in.ts'
export { ui } from '../en/ui.ts'
