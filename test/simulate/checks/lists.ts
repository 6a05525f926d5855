/** Lists: a page, its total and the whole list agree. */
import type { Answer, Sender, World } from '../world.ts'

const wholePage = 100

function readList(answer: Answer | undefined): { value: unknown[]; total: number } | undefined {
  const { value, total } = (answer?.body ?? {}) as { value?: unknown[]; total?: number }
  return answer?.status === 200 && Array.isArray(value) && total !== undefined ? { value, total } : undefined
}

/** A list that fits on its page says how many it has. */
export function checkList(world: World, about: string, answer: Answer | undefined): void {
  const list = readList(answer)
  if (!list || list.value.length >= wholePage || !about.includes(`$top=${wholePage}`)) return
  if (list.total !== list.value.length)
    world.fail(`${about} has ${list.value.length} rows and says ${list.total}.`)
}

const asMany = (address: string, top: number) => address.replace(/\$top=\d+/, `$top=${top}`)

/** Nothing changes any more. What a node remembers of lists that were read is to be right. */
export async function checkLists(world: World, client: Sender): Promise<void> {
  const known = new Map(world.model.listed.map((one) => [`${asMany(one.address, 1)} ${one.token}`, one]))
  for (const { name, address, token } of [...known.values()].slice(-8)) {
    const read = async (top: number) => {
      const answer = await client.send(name, asMany(address, top), { token })
      checkList(world, `${name} ${asMany(address, top)}`, answer)
      return readList(answer)
    }
    const before = await read(wholePage)
    const pages = [await read(1), await read(2)]
    const after = await read(wholePage)
    if (!before || JSON.stringify(before) !== JSON.stringify(after) || before.total > wholePage) continue
    for (const page of pages) {
      if (!page) continue
      if (page.total !== before.total)
        world.fail(`${name} ${address} has ${before.total} rows, and its first page says ${page.total}.`)
      if (JSON.stringify(page.value) !== JSON.stringify(before.value.slice(0, page.value.length)))
        world.fail(`${name} ${address} begins otherwise on a small page.`)
    }
  }
}
