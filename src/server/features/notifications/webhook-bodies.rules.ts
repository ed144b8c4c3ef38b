/** A notification in the format of each kind of receiver. */
import type { webhookFormats } from '../../../contract/notifications.ts'
import { titleOf } from './desktop-text.rules.ts'
import { linesOf } from './mail-text.rules.ts'
import { shortened } from '../../../language/shortened.ts'
import { type NotificationContent } from './notifications.rules.ts'

export const bodies: Record<
  (typeof webhookFormats)[number],
  (content: NotificationContent, deliveryId: number) => object
> = {
  headgate: (content, delivery_id) => ({ ...content, delivery_id }),

  /** An incoming webhook: Block Kit, with the title as the text that notifications show. */
  slack: (content) => ({
    text: slackText(titleOf(content)),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: shortened(titleOf(content), 150), emoji: false } },
      {
        type: 'section',
        // Ten at most, of 2,000 characters each; escaping makes texts longer.
        fields: linesOf(content)
          .slice(0, 10)
          .map(([heading, text]) => ({ type: 'mrkdwn', text: `*${heading}*\n${slackText(shortened(text, 380))}` })),
      },
    ],
  }),

  /** A workflow of Microsoft Teams that posts what its webhook receives: an Adaptive Card. */
  teams: (content) => ({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            { type: 'TextBlock', size: 'Medium', weight: 'Bolder', wrap: true, text: cardText(titleOf(content)) },
            {
              type: 'FactSet',
              facts: linesOf(content).map(([title, text]) => ({ title, value: cardText(shortened(text, 1_000)) })),
            },
          ],
        },
      },
    ],
  }),
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
/** `<!channel>` in an error message must call nobody. */
const slackText = (text: string) => text.replaceAll(/[&<>]/g, (character) => entities[character] ?? character)

/** Cards read Markdown: names are no links and no lists. */
const cardText = (text: string) => text.replaceAll(/[\\`*_[\]()#~>|-]/g, (character) => `\\${character}`)
