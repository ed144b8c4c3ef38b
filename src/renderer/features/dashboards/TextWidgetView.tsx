import type { TextWidget } from '../../../language/dashboard/dashboard.types.ts'
import { PlainWidget } from './WidgetFrame.tsx'
import classes from './dashboards.module.css'
import { MarkdownText } from './markdown-parts.tsx'

export function TextWidgetView({ widget }: { widget: TextWidget }) {
  return (
    <PlainWidget widget={widget}>
      <div className={classes.markdown}>
        <MarkdownText text={widget.text} />
      </div>
    </PlainWidget>
  )
}
