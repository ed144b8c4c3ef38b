import { type CSSProperties, type MouseEvent, memo } from 'react'
import type { LogLevel, LogLine } from '../../../contract/runs.ts'
import classes from './LogView.module.css'
import { type TextPiece, piecesOf } from './log-text.ts'

const ansiColor = (name: string) => `var(--${name.replace('bright-', '')})`

function styleOf(piece: TextPiece): CSSProperties | undefined {
  const style: CSSProperties = {
    ...(piece.fg ? { color: ansiColor(piece.fg) } : {}),
    ...(piece.color ? { color: piece.color } : {}),
    ...(piece.bg ? { background: `color-mix(in srgb, ${ansiColor(piece.bg)} 22%, transparent)` } : {}),
    ...(piece.background ? { background: piece.background } : {}),
    ...(piece.bold ? { fontWeight: 600 } : {}),
    ...(piece.dim ? { opacity: 0.7 } : {}),
    ...(piece.italic ? { fontStyle: 'italic' } : {}),
    ...(piece.underline ? { textDecoration: 'underline' } : {}),
  }
  return Object.keys(style).length > 0 ? style : undefined
}

// The same in every language, as a log is.
const clock = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
})

/** Words of all rows, looked up once: dozens of new rows are drawn a frame while one scrolls. */
export interface LogWords {
  levels: Record<LogLevel, string>
  permalink: string
}

interface LogLineRowProps {
  line: LogLine | undefined
  /** Stands in for the number while the line is loaded. */
  number: number | null
  search: string
  chosen: boolean
  /** Lines of other steps than the chosen one step back. */
  dim: boolean
  /** The run has had several attempts: each line says which. */
  showAttempt: boolean
  href: string
  /** Digits of the highest line number: all numbers are as wide. */
  digits: number
  words: LogWords
  onChoose(line: number, extend: boolean): void
}

/** One line of a log: number (its permalink), time, level, step and message. */
export const LogLineRow = memo(function LogLineRow(props: LogLineRowProps) {
  const { line, number, search, chosen, dim, showAttempt, href, digits, words, onChoose } = props
  const numberStyle = { minWidth: `calc(${Math.max(3, digits)}ch + 18px)` }
  if (!line) {
    return (
      <div className={classes.row} aria-hidden>
        <span className={classes.number} style={numberStyle}>
          {number ?? ''}
        </span>
        <span className={classes.waiting} />
      </div>
    )
  }
  const choose = (event: MouseEvent) => {
    // The address of the line is for copying and new tabs; a plain click only chooses.
    if (event.metaKey || event.ctrlKey) return
    event.preventDefault()
    onChoose(line.line, event.shiftKey)
  }
  return (
    <div
      className={classes.row}
      data-level={line.level}
      data-chosen={chosen || undefined}
      data-dim={dim || undefined}
      data-line={line.line}
    >
      <a
        className={classes.number}
        style={numberStyle}
        href={href}
        onClick={choose}
        tabIndex={-1}
        title={words.permalink}
      >
        {line.line}
      </a>
      <span className={classes.time} title={line.at}>
        {clock.format(Date.parse(line.at))}
      </span>
      <span className={classes.level} data-level={line.level}>
        {words.levels[line.level]}
      </span>
      {showAttempt ? <span className={classes.attempt}>#{line.attempt}</span> : null}
      {line.step ? <span className={classes.step}>{line.step}</span> : null}
      <span className={classes.message}>
        {piecesOf(line.message, search).map((piece) =>
          piece.match ? (
            <mark key={piece.at} className={classes.match} style={styleOf(piece)}>
              {piece.text}
            </mark>
          ) : (
            <span key={piece.at} style={styleOf(piece)}>
              {piece.text}
            </span>
          ),
        )}
      </span>
    </div>
  )
})
