/** How a bank file begins: told from its first bytes, before it is sent. */
const beginnings = [/camt\.05[34]\./, /^01BGMAX/m, /^NY0{4}1/]
const beginBytes = 4096

export async function isBankFile(file: Blob): Promise<boolean> {
  const text = await file.slice(0, beginBytes).text()
  return beginnings.some((one) => one.test(text))
}
