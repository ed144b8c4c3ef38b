export interface Hover {
  markdown: string
  from: number
  to: number
}
