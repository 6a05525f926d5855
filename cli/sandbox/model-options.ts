/** The options by which `forward` and `compare` are told how debtors behave. */
import { Command, InvalidArgumentError, Option } from 'commander'
import { usualModel, type DebtorModel } from '../../server/insight/sandbox/forward/debtor-model.ts'

export type ModelOptions = DebtorModel

const shares: Record<Exclude<keyof DebtorModel, 'seed'>, string> = {
  full: 'of 100 letters, how many are paid in full',
  part: 'of 100 letters, how many are paid in part',
  promise: 'of 100 letters, how many bring a promise to pay',
  object: 'of 100 letters, how many bring an objection',
  keep: 'of 100 promises, how many are kept',
  instalment: 'of 100 instalments of plans, how many are paid on their due date',
}

export function addModelOptions(command: Command): Command {
  command.option('--seed <number>', 'seed of the behaviour', readWhole(0, 999_999_999), usualModel.seed)
  for (const [name, about] of Object.entries(shares))
    command.addOption(
      new Option(`--${name} <percent>`, about)
        .argParser(readWhole(0, 100))
        .default(usualModel[name as keyof typeof shares]),
    )
  return command
}

/** Throws an error that says what is wrong with the shares together. */
export function readModel({
  seed,
  full,
  part,
  promise,
  object,
  keep,
  instalment,
}: ModelOptions): DebtorModel {
  if (full + part + promise + object > 100)
    throw new Error(
      `--full, --part, --promise and --object are ${full + part + promise + object} of 100 letters together. Lower one of them.`,
    )
  return { seed, full, part, promise, object, keep, instalment }
}

/** The options as they are typed, those that differ from the usual ones. */
export const typeModel = (model: DebtorModel): string =>
  Object.entries(model)
    .filter(([name, value]) => value !== usualModel[name as keyof DebtorModel])
    .map(([name, value]) => ` --${name} ${value}`)
    .join('')

export const readWhole =
  (least: number, most: number) =>
  (text: string): number => {
    const number = Number(text)
    if (/^\d{1,9}$/.test(text) && number >= least && number <= most) return number
    throw new InvalidArgumentError(`Write a whole number from ${least} to ${most}.`)
  }
