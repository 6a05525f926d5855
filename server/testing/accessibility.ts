/** What axe says of a page in a browser. */
import axe, { type RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

export interface Judgement {
  /** The rules that are broken, with the tags of the elements that break them. */
  violations: { id: string; elements: string[] }[]
  /** The rules that hold of some element. */
  passes: string[]
}

/** Asks axe about the page as it is: about everything that it knows, or about the rules named. */
export async function judgePage(page: Page, rules?: string[]): Promise<Judgement> {
  // Of what is as it should be axe would describe each element, and find a selector for each.
  const options: RunOptions = {
    resultTypes: ['violations'],
    selectors: false,
    ...(rules && { runOnly: { type: 'rule', values: rules } }),
  }
  const found = await page.evaluate(judge, options)
  if (found) return found
  // Once for a document, as it is 650 kB.
  await page.evaluate(axe.source)
  return (await page.evaluate(judge, options))!
}

/** In the page; undefined where axe is not there yet. */
async function judge(options: RunOptions): Promise<Judgement | undefined> {
  const here = (globalThis as { axe?: typeof axe }).axe
  if (!here) return undefined
  const { violations, passes } = await here.run(options)
  return {
    violations: violations.map(({ id, nodes }) => ({ id, elements: nodes.map(({ html }) => html) })),
    passes: passes.map(({ id }) => id),
  }
}
