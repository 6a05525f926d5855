import { useImperativeHandle, useRef, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { templateLengthMax } from '../../../../contract/collection/letter-templates.ts'

/** What the parts beside the text do with it. */
export interface SourceHandle {
  /** Writes at the caret, and goes on behind it. */
  insert: (text: string) => void
  /** Selects from a place to the end of its line. Both count from 1. */
  show: (line: number, column: number) => void
}

interface SourceInputProps {
  handle: RefObject<SourceHandle | null>
  value: string
  /** Of the letter, for the spelling checker. */
  language: string
  faultyLines: ReadonlySet<number>
  onChange: (value: string) => void
}

/**
 * A text area with numbers of lines. The same text lies behind it, line by line: it gives the height, and the
 * places of the numbers when a line is wrapped.
 */
export function SourceInput({ handle, value, language, faultyLines, onChange }: SourceInputProps) {
  const { t } = useTranslation()
  const area = useRef<HTMLTextAreaElement>(null)
  useImperativeHandle(handle, () => ({
    insert: (text) => {
      const { current } = area
      if (!current) return
      current.focus()
      const { selectionEnd } = current
      // A name ends where a sign comes that names do not have.
      const next = value[selectionEnd] ?? ''
      insertText(current, /[\p{L}\p{N}_([-]/u.test(next) ? `${text};` : text, onChange)
    },
    show: (line, column) => {
      const lines = value.split('\n')
      const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0)
      const end = start + (lines[line - 1]?.length ?? 0)
      area.current?.focus()
      area.current?.setSelectionRange(Math.min(start + Math.max(column - 1, 0), end), end)
    },
  }))
  return (
    <div className="source-input">
      <div className="source-lines" aria-hidden="true">
        {value.split('\n').map((line, index) => (
          <div key={index} data-line={index + 1} data-faulty={faultyLines.has(index + 1) || undefined}>
            {line === '' ? '\u200B' : line}
          </div>
        ))}
      </div>
      <textarea
        ref={area}
        aria-label={t('templates.text')}
        aria-invalid={faultyLines.size > 0}
        lang={language}
        spellCheck
        required
        maxLength={templateLengthMax}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  )
}

/** As if typed, so that it can be undone; a browser without this command gets the whole text anew. */
function insertText(area: HTMLTextAreaElement, text: string, onChange: (value: string) => void): void {
  if (document.execCommand('insertText', false, text)) return
  area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end')
  onChange(area.value)
}
