import { Button, Group, Input } from '@mantine/core'
import { IconPhotoUp, IconTrash } from '@tabler/icons-react'
import { type DragEvent, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './branding.module.css'

const types = ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml']
const mostBytes = 256 * 1024

const read = (file: File) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''))
    reader.addEventListener('error', () => reject(reader.error ?? new Error(file.name)))
    reader.readAsDataURL(file)
  })

interface LogoFieldProps {
  value: string | null
  error: string | undefined
  onChange: (logo: string | null) => void
}

/** A picture, dropped or chosen; kept in the branding itself. */
export function LogoField({ value, error, onChange }: LogoFieldProps) {
  const { t } = useTranslation('branding')
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const [over, setOver] = useState(false)
  const [mistake, setMistake] = useState<string>()
  const take = async (file: File | undefined) => {
    if (!file) return
    if (!types.includes(file.type)) return setMistake(t('logoType'))
    if (file.size > mostBytes) return setMistake(t('logoSize', { kib: Math.ceil(file.size / 1024) }))
    try {
      onChange(await read(file))
      setMistake(undefined)
    } catch (failure) {
      setMistake(String(failure))
    }
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void take(event.dataTransfer.files[0])
  }
  return (
    <Input.Wrapper label={t('logo')} description={t('logoHint')} error={mistake ?? error} id={id}>
      <div
        className={classes.drop}
        data-over={over || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
        data-own-drop
      >
        {value ? <img src={value} alt={t('logoNow')} className={classes.logo} /> : <span>{t('logoNone')}</span>}
        <Group gap={8}>
          <Button
            variant="default"
            size="compact-xs"
            leftSection={<IconPhotoUp size={13} />}
            onClick={() => input.current?.click()}
          >
            {t('logoChoose')}
          </Button>
          {value ? (
            <Button
              variant="subtle"
              color="gray"
              size="compact-xs"
              leftSection={<IconTrash size={13} />}
              onClick={() => onChange(null)}
            >
              {t('logoRemove')}
            </Button>
          ) : null}
        </Group>
        <input
          ref={input}
          id={id}
          type="file"
          hidden
          accept={types.join(',')}
          aria-label={t('logo')}
          onChange={(event) => {
            void take(event.currentTarget.files?.[0])
            // The same file can be chosen again.
            event.currentTarget.value = ''
          }}
        />
      </div>
    </Input.Wrapper>
  )
}
