/** Completion scripts for shells, generated from the commands. */
import type { Command } from 'commander'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

interface Completed {
  /** The preceding words: `user create`; empty for the program itself. */
  path: string
  /** Possible next words: commands, listed arguments, options. */
  words: { word: string; about: string }[]
}

/** Arguments with listed values, by the path of their command. */
export type ArgumentChoices = Record<string, readonly string[]>

export function createCompletion(program: Command, shell: Shell, choices: ArgumentChoices): string {
  const list = listWords(program, '', choices)
  if (shell === 'fish') return fishScript(program.name(), list)
  return shell === 'zsh' ? zshScript(program.name(), list) : bashScript(program.name(), list)
}

function listWords(command: Command, path: string, choices: ArgumentChoices): Completed[] {
  const commands = command.commands.map((one) => ({ word: one.name(), about: one.description() }))
  const options = [...command.options, ...helpText(command)].map(({ long, description }) => ({
    word: long!,
    about: description,
  }))
  const values = (choices[path] ?? []).map((word) => ({ word, about: '' }))
  const below = command.commands.flatMap((one) => listWords(one, `${path} ${one.name()}`.trim(), choices))
  return [{ path, words: [...commands, ...values, ...options] }, ...below]
}

const helpText = (_command: Command) => [{ long: '--help', description: 'show the arguments and options' }]

const joinWords = ({ words }: Completed) => words.map(({ word }) => word).join(' ')

const bashScript = (name: string, list: Completed[]): string => `# eval "$(${name} completion bash)"
_${name}() {
  local word="\${COMP_WORDS[COMP_CWORD]}" path="" at
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "\${COMP_WORDS[at]}" in -*) ;; *) path="\${path:+$path }\${COMP_WORDS[at]}" ;; esac
  done
  local words=""
  case "$path" in
${list.map((one) => `    '${one.path}') words='${joinWords(one)}' ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$word"))
}
complete -F _${name} ${name}
`

const zshScript = (name: string, list: Completed[]): string => `#compdef ${name}
# eval "$(${name} completion zsh)"
_${name}() {
  local -a given
  given=(\${(@)words[2,CURRENT-1]:#-*})
  case "\${(j: :)given}" in
${list.map((one) => `    '${one.path}') compadd -- ${joinWords(one)} ;;`).join('\n')}
    *) _files ;;
  esac
}
compdef _${name} ${name}
`

const quoted = (text: string) => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`

const fishScript = (name: string, list: Completed[]): string =>
  [
    `# ${name} completion fish | source`,
    `function __${name}_path; string join ' ' -- (string match -v -- '-*' (commandline -opc)[2..]); end`,
    ...list.flatMap(({ path, words }) =>
      words.map(({ word, about }) => {
        const when = `-n ${quoted(`test (__${name}_path) = "${path}"`)}`
        const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${quoted(word)}`
        return `complete -c ${name} ${path === '' || !word.startsWith('--') ? '-f ' : ''}${when} ${what}${about === '' ? '' : ` -d ${quoted(about)}`}`
      }),
    ),
    '',
  ].join('\n')
