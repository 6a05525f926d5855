/** Does what a person does on a page, and counts it. */
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

export interface Actions {
  readonly count: number
  click(target: Locator): Promise<void>
  /** A key, or several that are held together. */
  press(keys: string): Promise<void>
  /** Types over what the field has. One action, and one more to reach a field that has not the focus. */
  type(field: Locator, text: string): Promise<void>
  /** A choice of a list: one action to open it, one to choose. */
  choose(list: Locator, option: string): Promise<void>
  /** Hands a file over: one action. */
  give(input: Locator, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void>
}

export function countActions(page: Page): Actions {
  let count = 0
  return {
    get count() {
      return count
    },
    click: async (target) => {
      await target.click()
      count += 1
    },
    press: async (keys) => {
      await page.keyboard.press(keys)
      count += 1
    },
    type: async (field, text) => {
      await field.waitFor()
      const hasFocus = await field.evaluate((element) => element === document.activeElement)
      await field.fill(text)
      count += hasFocus ? 1 : 2
    },
    choose: async (list, option) => {
      await list.click()
      await page.getByRole('option', { name: option, exact: true }).click()
      count += 2
    },
    give: async (input, file) => {
      await input.setInputFiles(file)
      count += 1
    },
  }
}

/** More than the budget is a fault of the console. */
export const assertWithin = ({ count }: Actions, budget: number): void =>
  assert.ok(count <= budget, `${count} actions, and ${budget} are enough`)
