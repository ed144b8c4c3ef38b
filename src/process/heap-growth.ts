import { setFlagsFromString } from 'node:v8'

/**
 * Lets this process's heap grow by so many percent of what lived through its last full collection before the next one. Whoever
 * passes bytes on has a small heap and much that lives briefly: by V8's own rule such a process collects every 20 MB or so, which
 * takes a third of its time.
 */
export function letHeapGrow(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`)
}
