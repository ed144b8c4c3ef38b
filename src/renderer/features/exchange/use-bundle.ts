import { useCallback, useState } from 'react'
import { type BundleIndex, indexBundle } from './bundle-index.ts'

export interface Bundle {
  file: File
  /** Null while the file is being looked through. */
  index: BundleIndex | null
}

/** The file that was chosen, and where its records stand. */
export function useBundle() {
  const [bundle, setBundle] = useState<Bundle | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const take = useCallback((file: File | null) => {
    setProblem(null)
    setBundle(file ? { file, index: null } : null)
    if (!file) return
    indexBundle(file).then(
      (index) => setBundle((now) => (now?.file === file ? { file, index } : now)),
      (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)),
    )
  }, [])
  return { bundle, problem, take }
}
