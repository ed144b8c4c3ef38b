// The panel, the prompt at the caret, and the explanation of a failure by keyboard alone, in each language.
import { createTask } from '../../src/contract/tasks.ts'
import { triggerRun } from '../../src/contract/runs.ts'
import { ai as german } from '../../src/renderer/i18n/de/ai.ts'
import { ai as english } from '../../src/renderer/i18n/en/ai.ts'
import { configureAi, fenced, speak, yamlOf } from '../support/ai-page.ts'
import { expect, tabTo, test } from '../support/e2e.ts'
import { type FakeAi, startFakeAi } from '../support/fake-ai.ts'

let fake: FakeAi
test.beforeAll(async () => {
  fake = await startFakeAi()
})
test.afterAll(() => fake.close())

for (const [language, t] of [
  ['en', english],
  ['de', german],
] as const) {
  test(`a change is asked for in the panel and at the caret, sent, and decided without a mouse (${language})`, async ({
    page,
    api,
  }) => {
    test.slow()
    await configureAi(api, fake)
    const yaml = yamlOf(`ai.keys.${language}`)
    const task = await api(createTask, { body: { yaml_content: yaml } })
    await page.goto(`/tasks/${task.id}?side=ai`)
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await expect(page.getByRole('textbox', { name: english.panel.prompt })).toBeVisible()
    await speak(page, language)
    const editor = page.locator('.cm-content').first()

    fake.reply({ text: fenced(yaml.replace('out.csv', 'other.csv').replace('{a: 1}', '{a: 2}')) })
    await tabTo(page, page.getByRole('textbox', { name: t.panel.prompt }))
    await page.keyboard.type('Write to other.csv')
    await tabTo(page, button(t.panel.show))
    await page.keyboard.press('Enter')
    await tabTo(page, button(t.sent.send))
    await page.keyboard.press('Enter')
    await expect(button(t.proposal.accept)).toHaveCount(2)
    await tabTo(page, button(t.proposal.accept).first())
    await page.keyboard.press('Enter')
    await tabTo(page, button(t.proposal.reject))
    await page.keyboard.press('Enter')
    await expect(button(t.proposal.accept)).toHaveCount(0)
    await expect(editor).toContainText('{a: 2}')
    await expect(editor).not.toContainText('other.csv')

    fake.reply({ text: fenced(yaml.replace('{a: 1}', '{a: 2}').replace('a: b}', 'a: c}')) })
    await tabTo(page, editor, 'Shift+Tab')
    await page.keyboard.press('ControlOrMeta+Home')
    // To the second step.
    for (let line = 0; line < 8; line++) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ControlOrMeta+i')
    await expect(page.getByRole('textbox', { name: t.part.prompt.replace('{{path}}', 'steps[1]') })).toBeFocused()
    await page.keyboard.type('Call it c')
    await page.keyboard.press('Enter')
    await expect(button(t.proposal.accept)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(editor).toContainText('a: c}')
  })

  test(`a failure is explained and its correction accepted without a mouse (${language})`, async ({ page, api }) => {
    test.slow()
    await configureAi(api, fake)
    const yaml = `etl: 1\nkind: script\nname: ai.keys.failed.${language}\nscript: |\n  throw new Error("no")\n`
    const task = await api(createTask, { body: { yaml_content: yaml } })
    const run = await api(triggerRun, { params: { taskId: task.id }, body: {} })
    await page.goto(`/runs/${run.id}`)
    await expect(page.getByRole('button', { name: english.explain.open })).toBeVisible({ timeout: 30_000 })
    await speak(page, language)
    fake.reply({ text: `It threw.\n\n${fenced(yaml.replace('throw new Error("no")', 'return {}'))}` })
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await tabTo(page, button(t.explain.open))
    await page.keyboard.press('Enter')
    await tabTo(page, button(t.panel.show))
    await page.keyboard.press('Enter')
    await tabTo(page, button(t.sent.send))
    await page.keyboard.press('Enter')
    await tabTo(page, button(t.explain.review))
    await page.keyboard.press('Enter')
    await tabTo(page, button(t.proposal.accept).first())
    await page.keyboard.press('Enter')
    await expect(page.locator('.cm-content').first()).toContainText('return {}')
  })
}
