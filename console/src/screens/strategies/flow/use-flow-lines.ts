/** Measures the boxes of a flow whenever its size changes, and draws its lines. */
import { useLayoutEffect, useRef, useState } from 'react'
import { drawLines, type Box, type FlowLine } from './flow-lines.ts'
import type { FlowPlace } from './flow-places.ts'

interface Drawn {
  lines: FlowLine[]
  width: number
  height: number
}

/** `flow` holds an element with `data-place` for each place, and one with `data-step` for each step. */
export function useFlowLines(places: readonly FlowPlace[]) {
  const flow = useRef<HTMLDivElement>(null)
  const [drawn, setDrawn] = useState<Drawn>({ lines: [], width: 0, height: 0 })
  useLayoutEffect(() => {
    const frame = flow.current!
    const measure = () => setDrawn(drawFlow(frame, places))
    const observer = new ResizeObserver(measure)
    observer.observe(frame)
    for (const card of frame.querySelectorAll('[data-step]')) observer.observe(card)
    measure()
    return () => observer.disconnect()
  }, [places])
  return { flow, ...drawn }
}

function drawFlow(frame: HTMLElement, places: readonly FlowPlace[]): Drawn {
  const origin = frame.getBoundingClientRect()
  const measureBox = (selector: string): Box => {
    const { left, top, bottom } = frame.querySelector(selector)!.getBoundingClientRect()
    return { left: left - origin.left, top: top - origin.top, bottom: bottom - origin.top }
  }
  const boxes = places.map(({ key, steps }) => ({
    key,
    box: measureBox(`[data-place="${CSS.escape(key)}"]`),
    steps: steps.map(({ index, leadsTo }) => ({ index, leadsTo, box: measureBox(`[data-step="${index}"]`) })),
  }))
  return { lines: drawLines(boxes), width: origin.width, height: origin.height }
}
