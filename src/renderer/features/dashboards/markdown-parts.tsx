/** Markdown of a dashboard as elements of the page: its tokens become React's elements, so nothing in it can become markup. */
import MarkdownIt, { type Token } from 'markdown-it'
import { Fragment, type ReactNode } from 'react'

// HTML stays text; addresses become links only where they were written as such.
const reader = new MarkdownIt({ html: false, linkify: false })

/** Pages of the web, addresses of mail, and pages of this window; anything else is text. */
export const isSafeLink = (href: string) =>
  /^(?:https?:\/\/|mailto:)/i.test(href) || /^\/(?![/\\])/.test(href) || href.startsWith('#')

const tags = new Set([
  'p',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'ul',
  'ol',
  'li',
  'em',
  'strong',
  's',
  'blockquote',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
])
/** The page's heading stands above these. */
const headings: Readonly<Record<string, string>> = { h1: 'h2', h2: 'h3', h3: 'h4', h4: 'h5', h5: 'h6', h6: 'h6' }

interface Open {
  token: Token | null
  parts: ReactNode[]
}

function closed({ token, parts }: Open, key: number): ReactNode {
  if (!token) return <Fragment key={key}>{parts}</Fragment>
  if (token.type === 'link_open') {
    const href = String(token.attrGet('href') ?? '')
    return isSafeLink(href) ? (
      <a key={key} href={href} {...(href.startsWith('http') ? { target: '_blank', rel: 'noreferrer noopener' } : {})}>
        {parts}
      </a>
    ) : (
      <Fragment key={key}>{parts}</Fragment>
    )
  }
  if (token.hidden || !tags.has(token.tag)) return <Fragment key={key}>{parts}</Fragment>
  // One of the tags above.
  const Tag = (headings[token.tag] ?? token.tag) as 'p'
  return <Tag key={key}>{parts}</Tag>
}

function leaf(token: Token, key: number): ReactNode {
  switch (token.type) {
    case 'code_inline':
      return <code key={key}>{token.content}</code>
    case 'code_block':
    case 'fence':
      return (
        <pre key={key}>
          <code>{token.content}</code>
        </pre>
      )
    case 'hr':
      return <hr key={key} />
    case 'hardbreak':
      return <br key={key} />
    case 'softbreak':
      return ' '
    // Nothing is fetched from elsewhere.
    case 'image':
      return token.content
    default:
      return token.children ? partsOf(token.children, key) : token.content
  }
}

function partsOf(tokens: readonly Token[], key = 0): ReactNode {
  const stack: Open[] = [{ token: null, parts: [] }]
  for (const [index, token] of tokens.entries()) {
    if (token.nesting === 1) stack.push({ token, parts: [] })
    else if (token.nesting === -1) {
      const done = stack.pop()
      if (done) stack.at(-1)?.parts.push(closed(done, index))
    } else stack.at(-1)?.parts.push(leaf(token, index))
  }
  return <Fragment key={key}>{stack[0]?.parts}</Fragment>
}

export const MarkdownText = ({ text }: { text: string }) => partsOf(reader.parse(text, {}))
