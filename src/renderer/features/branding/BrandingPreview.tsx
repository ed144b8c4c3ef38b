import { type CSSProperties, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Branding } from '../../../contract/branding.ts'
import { Mark } from '../../ui/Mark.tsx'
import { brandColors } from '../../ui/brand/brand-colors.ts'
import { useLooks } from '../../ui/looks.ts'
import { ownTokens } from '../../ui/theme.ts'
import { type Tokens, tokenVariables } from '../../ui/tokens.ts'
import classes from './branding.module.css'

const styleOf = (tokens: Tokens) => tokenVariables(tokens) as CSSProperties

function Logo({ branding, size }: { branding: Branding; size: number }) {
  if (!branding.logo_data_url) return <Mark size={size} />
  return (
    <img
      src={branding.logo_data_url}
      alt=""
      style={{ height: size, maxWidth: size * 5, objectFit: 'contain', alignSelf: 'flex-start' }}
    />
  )
}

/** A picture of the sidebar and of the sign-in page, in one theme. Nothing in it acts. */
function Pictures({ branding, tokens, label }: { branding: Branding; tokens: Tokens; label: string }) {
  const { t } = useTranslation('branding')
  return (
    <figure className={classes.preview} style={styleOf(tokens)}>
      <figcaption>{label}</figcaption>
      <div className={classes.window}>
        <div className={classes.nav}>
          <div className={classes.brand}>
            <Logo branding={branding} size={20} />
            <span>{branding.product_name}</span>
          </div>
          <span className={classes.item}>{t('preview.one')}</span>
          <span className={classes.item} data-active>
            {t('preview.two')}
          </span>
          <span className={classes.item}>{t('preview.three')}</span>
        </div>
        <div className={classes.signIn}>
          <Logo branding={branding} size={32} />
          <b className={classes.heading}>{t('preview.signIn', { name: branding.product_name })}</b>
          {branding.login_message ? <p className={classes.message}>{branding.login_message}</p> : null}
          <span className={classes.field} />
          <span className={classes.field} />
          <span className={classes.button}>{t('preview.button')}</span>
          {branding.support_url ? <span className={classes.link}>{t('preview.help')}</span> : null}
        </div>
      </div>
    </figure>
  )
}

/** What the draft looks like in both themes, before it is saved. */
export function BrandingPreview({ branding }: { branding: Branding }) {
  const { t } = useTranslation('branding')
  const { primary_color: color } = branding
  const { contrast } = useLooks()
  const tokens = useMemo(() => (color ? brandColors(color, contrast) : ownTokens[contrast]), [color, contrast])
  return (
    <div className={classes.previews}>
      <Pictures branding={branding} tokens={tokens.light} label={t('preview.light')} />
      <Pictures branding={branding} tokens={tokens.dark} label={t('preview.dark')} />
    </div>
  )
}
