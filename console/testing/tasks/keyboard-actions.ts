/** Does what a person without a mouse does: presses keys, and types into what has the focus. Counts the presses. */
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { describeFocus, isFocusShown, readChoice } from './focus.ts'

interface GivenFile {
  name: string
  mimeType: string
  buffer: Buffer
}

export interface Keyboard {
  readonly count: number
  /** Presses keys one after the other. Each counts one; several that are held together count one. */
  press(...keys: string[]): Promise<void>
  /** Presses Tab until what has the name has the focus. Each Tab counts one. */
  tabTo(name: string | RegExp): Promise<void>
  /** Types into the field that has the focus. Counts one. */
  type(text: string): Promise<void>
  /** Chooses of the list of the field that has the focus: each arrow counts one, and so does Enter. */
  choose(option: string): Promise<void>
  /** Presses keys that ask for a file, and hands it over. Counts the keys. */
  give(file: GivenFile, keys: string): Promise<void>
  /** Waits for what follows, by which the focus is not lost. */
  until(...effects: Promise<unknown>[]): Promise<void>
}

/** More is too far for a person: the screen needs a key of its own for it. */
const tabMax = 12
const optionMax = 20

/** Dialogs and lists that open choose their focus in timers that are due at once. No person presses a key before. */
const runTimers = (page: Page) => page.evaluate(() => new Promise((done) => setTimeout(done)))

async function holdFocus(page: Page, after: string): Promise<void> {
  await page.waitForFunction(isFocusShown).catch(async () => {
    assert.fail(`after ${after} the focus is lost or not to be seen: ${await describeFocus(page)}`)
  })
}

async function isFocused(page: Page, name: string | RegExp): Promise<boolean> {
  const focused = await describeFocus(page)
  return typeof name === 'string' ? focused === name : name.test(focused)
}

export function useKeyboard(page: Page): Keyboard {
  let count = 0
  const press = async (...keys: string[]) => {
    for (const key of keys) {
      await page.keyboard.press(key)
      count += 1
      // What has the focus after `g` is looked at after the letter that follows it, which must come soon.
      if (key !== 'g') await holdFocus(page, key)
    }
  }
  const type = async (text: string) => {
    await page.waitForFunction(() => document.activeElement?.matches(':read-write'))
    await page.keyboard.type(text)
    count += 1
  }
  return {
    get count() {
      return count
    },
    press,
    tabTo: async (name) => {
      for (let tabs = 0; tabs < tabMax; tabs++) {
        await press('Tab')
        if (await isFocused(page, name)) return
      }
      assert.fail(`${name} is not reached by ${tabMax} Tabs: ${await describeFocus(page)}`)
    },
    type,
    choose: async (option) => {
      await runTimers(page)
      for (let arrows = 0; arrows < optionMax; arrows++) {
        await press('ArrowDown')
        if ((await readChoice(page)) === option) return press('Enter')
      }
      assert.fail(`${option} is not reached by ${optionMax} arrows: ${await readChoice(page)}`)
    },
    give: async (file, keys) => {
      const chooser = page.waitForEvent('filechooser')
      await press(keys)
      await (await chooser).setFiles(file)
    },
    until: async (...effects) => {
      await Promise.all(effects)
      await runTimers(page)
      await holdFocus(page, 'what followed')
    },
  }
}

/** More than the budget is a fault of the console. */
export const assertPresses = ({ count }: Keyboard, budget: number): void =>
  assert.ok(count <= budget, `${count} key presses, and ${budget} are enough`)
