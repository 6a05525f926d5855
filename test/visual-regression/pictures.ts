/** Pictures of pages at half their size, and what differs between two of them. */
import type { Browser, Page } from 'playwright-core'

export interface Picture {
  width: number
  height: number
  /** Red, green, blue and opacity of each pixel. */
  pixels: Uint8Array
}

/** A square of a picture that looks different. */
export interface Difference {
  x: number
  y: number
  /** The mean difference of its pixels: 0 to 255. */
  mean: number
}

/** The side of the squares that are compared, in pixels of the halved picture. */
export const squareSide = 8
/** The least mean difference of a square that counts: see decision 0284 for what is below and above it. */
const leastMean = 3
/** An edge between two colours may stand one pixel aside: browsers round it differently. */
const reach = 1

/** The squares that differ. A picture of another size differs everywhere. */
export function findDifferences(before: Picture, after: Picture): Difference[] {
  const isSameSize = before.width === after.width && before.height === after.height
  const found: Difference[] = []
  for (let y = 0; y < after.height; y += squareSide)
    for (let x = 0; x < after.width; x += squareSide) {
      const mean = isSameSize ? meanDifference(before, after, { x, y }) : 255
      if (mean >= leastMean) found.push({ x, y, mean })
    }
  return found
}

/** Of the pixels of a square, each compared with those around it in the other picture, in both directions. */
function meanDifference(before: Picture, after: Picture, square: Point): number {
  const [right, bottom] = squareEnd(after, square)
  if (isEqual(before, after, square)) return 0
  let sum = 0
  for (let y = square.y; y < bottom; y++)
    for (let x = square.x; x < right; x++)
      sum += Math.max(nearestDifference(before, after, { x, y }), nearestDifference(after, before, { x, y }))
  return sum / ((right - square.x) * (bottom - square.y))
}

/** Whether a square has the same pixels in both pictures, as most have. */
function isEqual(before: Picture, after: Picture, square: Point): boolean {
  const [right, bottom] = squareEnd(after, square)
  for (let y = square.y; y < bottom; y++)
    for (let at = 4 * (y * after.width + square.x); at < 4 * (y * after.width + right); at++)
      if (before.pixels[at] !== after.pixels[at]) return false
  return true
}

interface Point {
  x: number
  y: number
}

/** How far a pixel is from the colours around its place in another picture, by the colour that differs most. */
function nearestDifference(one: Picture, other: Picture, { x, y }: Point): number {
  const at = 4 * (y * one.width + x)
  let most = 0
  for (let colour = 0; colour < 3; colour++) {
    let [least, greatest] = [255, 0]
    for (let down = Math.max(0, y - reach); down <= Math.min(other.height - 1, y + reach); down++)
      for (let across = Math.max(0, x - reach); across <= Math.min(other.width - 1, x + reach); across++) {
        const value = other.pixels[4 * (down * other.width + across) + colour]!
        least = Math.min(least, value)
        greatest = Math.max(greatest, value)
      }
    const value = one.pixels[at + colour]!
    most = Math.max(most, least - value, value - greatest)
  }
  return most
}

const squareEnd = ({ width, height }: Picture, { x, y }: { x: number; y: number }) =>
  [Math.min(x + squareSide, width), Math.min(y + squareSide, height)] as const

/** The picture in pale colours, and the squares that differ in red. */
export function drawDifferences(picture: Picture, differences: readonly Difference[]): Picture {
  const pixels = picture.pixels.map((value, at) => (at % 4 === 3 ? 255 : 191 + value / 4))
  for (const square of differences) {
    const [right, bottom] = squareEnd(picture, square)
    for (let y = square.y; y < bottom; y++)
      for (let x = square.x; x < right; x++) {
        const at = 4 * (y * picture.width + x)
        pixels[at] = 220
        pixels[at + 1] = picture.pixels[at + 1]! / 2
        pixels[at + 2] = picture.pixels[at + 2]! / 2
      }
  }
  return { ...picture, pixels }
}

interface Sent {
  width: number
  height: number
  base64: string
}

/** Reads and writes pictures by the browser, which knows every format. */
export class PictureCodec {
  readonly #page: Page

  private constructor(page: Page) {
    this.#page = page
  }

  static async open(browser: Browser): Promise<PictureCodec> {
    return new PictureCodec(await browser.newPage())
  }

  /** Each pixel is the mean of `scale` by `scale` of the file. */
  async read(file: Uint8Array, type: 'image/png' | 'image/webp', scale: 1 | 2): Promise<Picture> {
    const source = `data:${type};base64,${Buffer.from(file).toString('base64')}`
    const { base64, ...size } = await this.#page.evaluate(readScaled, { source, scale })
    return { ...size, pixels: Buffer.from(base64, 'base64') }
  }

  /** WebP without loss, or PNG for every viewer. */
  async write({ width, height, pixels }: Picture, type: 'image/png' | 'image/webp'): Promise<Buffer> {
    const base64 = Buffer.from(pixels).toString('base64')
    return Buffer.from(await this.#page.evaluate(writeWhole, { width, height, base64, type }), 'base64')
  }
}

/** Runs in the browser. */
async function readScaled({ source, scale }: { source: string; scale: number }): Promise<Sent> {
  const image = new Image()
  image.src = source
  await image.decode()
  const { naturalWidth, naturalHeight } = image
  const pen = new OffscreenCanvas(naturalWidth, naturalHeight).getContext('2d')!
  pen.drawImage(image, 0, 0)
  const { data } = pen.getImageData(0, 0, naturalWidth, naturalHeight)
  const [width, height] = [Math.floor(naturalWidth / scale), Math.floor(naturalHeight / scale)]
  const pixels = new Uint8Array(4 * width * height)
  for (let at = 0; at < pixels.length; at++) {
    const [x, y, colour] = [(at >> 2) % width, Math.floor((at >> 2) / width), at & 3]
    let sum = 0
    for (let down = 0; down < scale; down++)
      for (let across = 0; across < scale; across++)
        sum += data[4 * ((y * scale + down) * naturalWidth + x * scale + across) + colour]!
    pixels[at] = Math.round(sum / scale ** 2)
  }
  let text = ''
  for (const pixel of pixels) text += String.fromCharCode(pixel)
  return { width, height, base64: btoa(text) }
}

/** Runs in the browser. The highest quality of WebP is lossless. */
function writeWhole({ width, height, base64, type }: Sent & { type: string }): string {
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width, height })
  const pixels = Uint8ClampedArray.from(atob(base64), (letter) => letter.charCodeAt(0))
  canvas.getContext('2d')!.putImageData(new ImageData(pixels, width, height), 0, 0)
  return canvas.toDataURL(type, 1).split(',')[1]!
}
