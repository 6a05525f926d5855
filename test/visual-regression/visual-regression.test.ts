/** Ten screens in light, in dark and on a telephone look as their references. Skipped without a browser: `FORDRA_CHROMIUM` names its program. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { skip, startConsole, type ConsoleTest } from '../../console/testing/browser.ts'
import { fillAgency, listScreens, type Screen } from './demo-screens.ts'
import { drawDifferences, findDifferences, PictureCodec, type Difference, type Picture } from './pictures.ts'
import { looks, openLook, openScreen, setStyles, takePicture, type Look } from './take-picture.ts'

const references = join(import.meta.dirname, 'references')
/** Git ignores it. */
const results = join(import.meta.dirname, '../../tmp/visual-regression')
const isUpdate = process.env['FORDRA_UPDATE'] === '1'
const mostBytes = 1_500_000

const referencePath = (name: string) => join(references, `${name}.webp`)

describe('each screen', { skip }, () => {
  let tested: ConsoleTest
  let codec: PictureCodec
  let screens: Screen[]

  before(async () => {
    tested = await startConsole()
    await fillAgency(tested.api)
    screens = await listScreens(tested.api)
    codec = await PictureCodec.open(tested.browser)
    rmSync(results, { recursive: true, force: true })
  })
  after(() => tested?.close())

  const readReference = (name: string) => codec.read(readFileSync(referencePath(name)), 'image/webp', 1)
  const takeHalved = async (page: Page) => codec.read(await takePicture(page), 'image/png', 2)

  /** What differs from the reference; the pictures are written for whoever looks. */
  async function compare(name: string, picture: Picture): Promise<string[]> {
    if (isUpdate) writeFileSync(referencePath(name), await codec.write(picture, 'image/webp'))
    if (!existsSync(referencePath(name))) return [`${name} has no reference: FORDRA_UPDATE=1 writes it`]
    const old = await readReference(name)
    const differences = findDifferences(old, picture)
    if (differences.length === 0) return []
    mkdirSync(results, { recursive: true })
    const written = { old, new: picture, difference: drawDifferences(picture, differences) }
    for (const [kind, one] of Object.entries(written))
      writeFileSync(join(results, `${name}-${kind}.png`), await codec.write(one, 'image/png'))
    return [`${name}: ${describeDifferences(differences)}: ${join(results, `${name}-difference.png`)}`]
  }

  test('looks as its reference in light, in dark and on a telephone', async () => {
    const found: string[] = []
    const walk = async (look: Look) => {
      const { page, close } = await openLook(tested, look)
      for (const screen of screens) {
        await openScreen(page, screen)
        found.push(...(await compare(`${screen.name}-${look}`, await takeHalved(page))))
      }
      await close()
    }
    await Promise.all((Object.keys(looks) as Look[]).map(walk))
    assert.deepEqual(found, [], 'A change that is meant is recorded by FORDRA_UPDATE=1.')
  })

  test('differs by another colour, a column that moves and a button that is missing', async () => {
    const worklist = screens.find(({ name }) => name === 'worklist')!
    const reference = await readReference('worklist-light')
    const { page, close } = await openLook(tested, 'light')
    await openScreen(page, worklist)
    for (const [fault, css] of Object.entries(faults)) {
      await setStyles(page, css)
      const differences = findDifferences(reference, await takeHalved(page))
      assert.notEqual(differences.length, 0, fault)
    }
    await setStyles(page, '')
    assert.deepEqual(findDifferences(reference, await takeHalved(page)), [], 'without a fault')
    await close()
  })

  test('has references that stay small, and none is left of a screen that is gone', () => {
    const files = readdirSync(references)
    const names = screens.flatMap(({ name }) => Object.keys(looks).map((look) => `${name}-${look}.webp`))
    assert.deepEqual(files.toSorted(), names.toSorted())
    assert.equal(names.length, 30)
    const bytes = files.reduce((sum, file) => sum + readFileSync(join(references, file)).length, 0)
    assert.ok(bytes < mostBytes, `${bytes} bytes`)
  })
})

/** Styles that break the worklist. */
const faults = {
  'another colour of the links': 'td a { color: #7a3e9d !important }',
  'another colour of the status': '.mantine-Badge-root { background: #e3f5e1 !important }',
  'a column that moves by three pixels': 'td:nth-child(4) { position: relative; left: 3px }',
  'rows that are two pixels higher': 'td { padding-bottom: 2px !important }',
  'a missing button': 'button:has(+ button) { visibility: hidden }',
}

const describeDifferences = (differences: readonly Difference[]) => {
  const worst = differences.toSorted((a, b) => b.mean - a.mean)[0]!
  return `${differences.length} squares differ, most at ${2 * worst.x},${2 * worst.y} (by ${worst.mean.toFixed(0)})`
}
