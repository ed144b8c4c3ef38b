import { type FormEvent, useState } from 'react'
import { changeOwnPassword } from '../../../contract/users.ts'
import { call } from '../../api/client.ts'
import { useMinLength } from './NewPassword.tsx'
import { passwordRules } from './password-rules.ts'
import { useSubmit } from './use-submit.ts'

/** A form in which somebody replaces his own password; `known` is the current one where it was just typed. */
export function useOwnPassword(username: string, onChanged: () => void, known = '') {
  const minLength = useMinLength()
  const [current, setCurrent] = useState(known)
  const [fresh, setFresh] = useState('')
  const { busy, failure, left, run } = useSubmit()
  const [tried, setTried] = useState(false)
  const isGood = passwordRules(fresh, { minLength, username }).every(({ met }) => met)
  const wrong = failure?.detailFor('current_password')
  const bad = failure?.detailFor('new_password')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (current === '' || !isGood || left > 0) return
    void run(async () => {
      await call(changeOwnPassword, { body: { current_password: current, new_password: fresh } })
      onChanged()
    })
  }
  return {
    current,
    setCurrent,
    fresh,
    setFresh,
    submit,
    busy,
    /** Seconds until it may be tried again. */
    left,
    currentIsMissing: tried && current === '',
    freshIsMissing: tried && !isGood,
    currentIsWrong: wrong !== undefined,
    freshProblem: bad?.message,
    trouble: failure && !wrong && !bad ? failure.message : undefined,
  }
}
