import { ColorInput, ColorSwatch, Skeleton, TextInput, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconColorPicker } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Branding, getBranding, updateBranding } from '../../../contract/branding.ts'
import { ifMatch } from '../../api/client.ts'
import { useFollowedDraft } from '../../api/followed-draft.ts'
import { queryKey, useAction, useOperation } from '../../api/queries.ts'
import { defaultBranding } from '../../ui/brand/use-branding.ts'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { FormShell } from '../../ui/FormShell.tsx'
import { OvertakenNotice } from '../../ui/OvertakenNotice.tsx'
import { ownTokens } from '../../ui/theme.ts'
import { SettingsPage } from '../settings/SettingsPage.tsx'
import { BrandingPreview } from './BrandingPreview.tsx'
import { LogoField } from './LogoField.tsx'
import { bodyOf, brandingForm, shownOf } from './branding-draft.ts'
import classes from './branding.module.css'

function BrandingForm({ branding, onNewest }: { branding: Branding; onNewest: () => void }) {
  const { t } = useTranslation('branding')
  const { t: word } = useTranslation()
  const client = useQueryClient()
  const update = useAction(updateBranding)
  const { base, draft, dirty, write, adopt, overtaken } = useFollowedDraft(branding, brandingForm)
  const body = bodyOf(base, draft)
  const failure = update.error
  const problem = (field: keyof Branding) => failure?.detailFor(field)?.message
  const named = Object.keys(draft).some((field) => problem(field as keyof Branding))
  const set = (change: Partial<typeof draft>) => {
    update.reset()
    write((now) => ({ ...now, ...change }))
  }
  const take = (newest: Branding) => {
    adopt(newest)
    update.reset()
  }
  const save = () => {
    if (overtaken) return
    update.mutate(
      { body, headers: ifMatch(base) },
      {
        onSuccess: (saved) => {
          client.setQueryData(queryKey(getBranding), saved)
          take(saved)
          notifications.show({ message: t('saved') })
        },
        onError: (error) => {
          if (error.code === 'CONFLICT') onNewest()
        },
      },
    )
  }
  return (
    <div className={classes.columns}>
      <FormShell
        onSubmit={save}
        dirty={dirty}
        busy={update.isPending}
        submitLabel={word('form.save')}
        onCancel={dirty ? () => take(base) : undefined}
        notice={<OvertakenNotice overtaken={overtaken} apart />}
        error={failure && !overtaken ? (named ? word('form.checkFields') : failure.message) : undefined}
      >
        <TextInput
          label={t('name')}
          description={t('nameHint')}
          placeholder={defaultBranding.product_name}
          maxLength={60}
          value={draft.product_name}
          error={problem('product_name')}
          onChange={(event) => set({ product_name: event.currentTarget.value })}
        />
        <LogoField
          value={draft.logo_data_url}
          error={problem('logo_data_url')}
          onChange={(logo) => set({ logo_data_url: logo })}
        />
        <ColorInput
          label={t('color')}
          description={t('colorHint')}
          placeholder={t('colorDefault')}
          size="xs"
          eyeDropperIcon={<IconColorPicker size={15} aria-hidden />}
          eyeDropperButtonProps={{ 'aria-label': t('colorPick'), title: t('colorPick') }}
          format="hex"
          swatchesPerRow={8}
          swatches={['#0e6377', '#1f6feb', '#7f56d9', '#c2410c', '#2f9e54', '#b02020', '#334155', '#facc15']}
          // Without a color the product's own is in use.
          leftSection={
            draft.primary_color ? undefined : <ColorSwatch color={ownTokens.standard.light.accent} size={16} />
          }
          value={draft.primary_color}
          error={problem('primary_color')}
          onChange={(color) => set({ primary_color: color })}
        />
        <Textarea
          label={t('message')}
          description={t('messageHint')}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={2000}
          value={draft.login_message}
          error={problem('login_message')}
          onChange={(event) => set({ login_message: event.currentTarget.value })}
        />
        <TextInput
          label={t('support')}
          description={t('supportHint')}
          placeholder="https://help.example.com"
          value={draft.support_url}
          error={problem('support_url')}
          onChange={(event) => set({ support_url: event.currentTarget.value })}
        />
      </FormShell>
      <BrandingPreview branding={shownOf(draft)} />
    </div>
  )
}

/** How this control plane presents itself, with what becomes of it beside. */
export function BrandingPage() {
  const branding = useOperation(getBranding)
  return (
    <SettingsPage>
      {branding.data ? (
        <BrandingForm branding={branding.data} onNewest={() => void branding.refetch()} />
      ) : branding.error ? (
        <ErrorState what="branding" error={branding.error} onRetry={() => void branding.refetch()} />
      ) : (
        <Skeleton height={28} radius={0} />
      )}
    </SettingsPage>
  )
}
